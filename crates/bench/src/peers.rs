//! What other players reach: state changes per processor second of one thread, uniformly random
//! playouts from the initial position. The figures are in `peers.tsv`. They were measured once, on
//! another processor than the one this runs on: ratios to them are good to some tens of per cent.

use std::sync::OnceLock;

use serde::Serialize;

/// Where the figures come from.
pub const SOURCE: &str = "measured before, on one core of a recent Xeon: not in this run";

/// The figures for one game; none where a program does not have the game or fails on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peer {
    /// The name of its rule sheet in the corpus.
    pub game: &'static str,
    /// The champion's propositional network (Sancho 1.61c), from the rules.
    pub champion: Option<f64>,
    /// The prover of ggp-base, from the rules.
    pub prover: Option<f64>,
    /// OpenSpiel's hand-written C++. Some boards are of another size.
    pub openspiel: Option<f64>,
    /// Ludii, from ludemes.
    pub ludii: Option<f64>,
    /// Regular Boardgames compiled to C++.
    pub rbg: Option<f64>,
    /// A tight hand-written program.
    pub hand: Option<f64>,
}

/// The figures of all games.
pub fn all() -> &'static [Peer] {
    static PEERS: OnceLock<Vec<Peer>> = OnceLock::new();
    PEERS.get_or_init(|| include_str!("peers.tsv").lines().skip(1).filter_map(read).collect())
}

/// The figures of a game, by the name of its rule sheet.
pub fn find(game: &str) -> Option<&'static Peer> {
    all().iter().find(|peer| peer.game == game)
}

fn read(line: &'static str) -> Option<Peer> {
    let mut fields = line.split('\t');
    let game = fields.next()?;
    let mut figure = || fields.next().and_then(|text| text.parse().ok());
    Some(Peer {
        game,
        champion: figure(),
        prover: figure(),
        openspiel: figure(),
        ludii: figure(),
        rbg: figure(),
        hand: figure(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        assert_eq!(all().len(), 28);
        assert!(all().iter().all(|peer| peer.prover.is_some()));
        let chess = find("chess").expect("listed");
        assert_eq!((chess.champion, chess.openspiel), (None, Some(197_000.0)));
        assert_eq!(find("ticTacToe").expect("listed").hand, Some(260e6));
    }
}
