//! The symbols of pictures, drawn by ourselves: paths around (0, 0), about 80 wide and high.

use crate::look::Symbol;

/// The stand of every chess piece.
const STAND: &str = "M-22,26 h44 v8 h-44 Z";

/// The outlines of a symbol as paths, each filled and outlined; none for those drawn in other ways.
pub(crate) fn paths(symbol: Symbol) -> &'static [&'static str] {
    match symbol {
        Symbol::Pawn => &["M0,-28 a11,11 0 0 1 7,19.5 L14,26 H-14 L-7,-8.5 A11,11 0 0 1 0,-28 Z", STAND],
        Symbol::Rook => {
            &["M-22,-30 h11 v8 h6 v-8 h10 v8 h6 v-8 h11 v17 l-7,6 3,33 h-36 l3,-33 -7,-6 Z", STAND]
        }
        Symbol::Knight => &[
            "M-15,26 C-15,6 1,4 -1,-9 C-8,-2 -16,3 -21,1 L-24,-6 L-9,-24 L-8,-34 L2,-27 C20,-22 22,2 19,26 Z",
            STAND,
        ],
        Symbol::Bishop => {
            &["M0,-36 C15,-24 16,-9 9,2 L14,26 H-14 L-9,2 C-16,-9 -15,-24 0,-36 Z", "M-3,-16 h6", STAND]
        }
        Symbol::Queen => &["M-26,-20 L-13,2 L-12,-30 L0,-2 L12,-30 L13,2 L26,-20 L17,26 H-17 Z", STAND],
        Symbol::King => &[
            "M-4,-40 h8 v6 h6 v7 h-6 v8 C24,-28 34,-6 17,12 L17,26 H-17 L-17,12 C-34,-6 -24,-28 -4,-19 v-8 h-6 v-7 h6 Z",
            STAND,
        ],
        Symbol::Star => &["M0,-34 L9,-11 L33,-11 L14,5 L21,29 L0,15 L-21,29 L-14,5 L-33,-11 L-9,-11 Z"],
        Symbol::Gem => &["M-16,-24 H16 L30,-8 L0,30 L-30,-8 Z", "M-30,-8 H30 M-12,-8 L0,30 L12,-8"],
        Symbol::Person => &["M0,-34 a13,13 0 1 1 -0.1,0 Z", "M-24,32 C-24,2 -12,-4 0,-4 C12,-4 24,2 24,32 Z"],
        Symbol::Monster => &["M-26,32 V-8 C-26,-42 26,-42 26,-8 V32 L17,22 L8,32 L0,22 L-8,32 L-17,22 Z"],
        Symbol::Animal => &[
            "M-26,24 C-30,-2 -14,-8 2,-6 L8,-24 L14,-14 L22,-24 L26,-6 C34,4 26,12 20,12 L16,26 H8 L6,16 H-12 L-16,26 Z",
        ],
        Symbol::Bomb => &["M-4,-16 a24,24 0 1 1 -0.1,0 Z", "M-2,-18 C2,-32 14,-34 22,-28"],
        Symbol::Flame => {
            &["M2,-36 C6,-16 28,-8 22,14 C18,30 -16,32 -22,12 C-26,-2 -14,-8 -12,-20 C-4,-14 0,-24 2,-36 Z"]
        }
        Symbol::Door => &["M-20,32 V-16 C-20,-38 20,-38 20,-16 V32 Z", "M9,4 h4"],
        Symbol::Flag => &["M-18,-34 h6 v68 h-6 Z", "M-12,-32 L26,-20 L-12,-6 Z"],
        Symbol::Crate => &["M-30,-30 H30 V30 H-30 Z", "M-30,-30 L30,30 M30,-30 L-30,30"],
        _ => &[],
    }
}
