//! The figures of the paper: Świechowski, Mańdziuk and Ong, Tables II to VII.

/// A puzzle: its bundled name and what was published.
pub(super) struct Puzzle {
    pub(super) name: &'static str,
    /// MAX, AVG, ALL and R after ten minutes (Table II).
    pub(super) players: [f64; 4],
    /// EXP468, EXP357 and EXP1-8 after ten minutes (Table IV).
    pub(super) depths: [f64; 3],
    /// The dedicated and the baseline player and CadiaPlayer by the clocks (120, 30), (45, 15) and
    /// (2, 1) (Tables V to VII).
    pub(super) clocks: [[f64; 3]; 3],
}

/// The ten puzzles.
pub(super) const PUZZLES: [Puzzle; 10] = [
    Puzzle {
        name: "eight-puzzle",
        players: [99.03, 99.08, 99.07, 58.9],
        depths: [99.03, 99.07, 99.03],
        clocks: [[99.76, 98.01, 1.98], [99.01, 13.86, 0.0], [0.0, 0.0, 0.0]],
    },
    Puzzle { name: "buttons", players: [100.0; 4], depths: [100.0; 3], clocks: [[100.0; 3]; 3] },
    Puzzle { name: "circle-solitaire", players: [100.0; 4], depths: [100.0; 3], clocks: [[100.0; 3]; 3] },
    Puzzle {
        name: "hamilton",
        players: [100.0, 100.0, 100.0, 97.0],
        depths: [100.0; 3],
        clocks: [[100.0, 91.1, 100.0], [100.0, 90.3, 99.9], [89.17, 84.05, 63.65]],
    },
    Puzzle {
        name: "hanoi",
        players: [80.4, 78.0, 80.0, 70.4],
        depths: [80.4, 80.2, 80.0],
        clocks: [[82.4, 80.0, 100.0], [80.2, 80.0, 97.4], [80.0, 60.0, 60.0]],
    },
    Puzzle {
        name: "hunter",
        players: [87.0; 4],
        depths: [87.0; 3],
        clocks: [[87.0; 3], [87.0; 3], [87.0, 75.12, 84.6]],
    },
    Puzzle {
        name: "knights-tour",
        players: [99.44, 99.01, 99.43, 72.63],
        depths: [99.44, 99.6, 99.4],
        clocks: [[100.0; 3], [100.0, 86.5, 100.0], [89.7, 69.17, 58.65]],
    },
    Puzzle {
        name: "lights-out",
        players: [100.0, 100.0, 100.0, 22.0],
        depths: [100.0, 99.0, 100.0],
        clocks: [[99.0, 9.0, 0.0], [35.0, 4.0, 0.0], [0.0; 3]],
    },
    Puzzle {
        name: "rubiks-cube",
        players: [42.2, 37.05, 27.9, 9.95],
        depths: [42.2, 41.65, 33.45],
        clocks: [[10.5, 0.0, 35.0], [0.0, 0.0, 35.0], [0.0, 0.0, 14.85]],
    },
    Puzzle {
        name: "untwisty-corridor",
        players: [100.0, 100.0, 100.0, 99.0],
        depths: [100.0; 3],
        clocks: [[100.0; 3], [97.0, 92.0, 100.0], [6.0, 6.0, 100.0]],
    },
];

/// How often each strategy had found the highest score after 1 s, 1, 3 and 10 minutes, in 1000 runs
/// (Table III). The names are those of our strategies.
pub(super) const FINDERS: [(&str, [u64; 4]); 8] = [
    ("no score found", [852, 400, 169, 0]),
    ("random playouts", [3, 27, 30, 25]),
    ("playouts by goal evaluation", [46, 84, 94, 106]),
    ("playouts by history", [4, 43, 68, 74]),
    ("mobile playouts", [12, 47, 53, 55]),
    ("playouts by symbols", [0, 0, 13, 18]),
    ("playouts by score", [5, 9, 21, 33]),
    ("exploring playouts", [78, 390, 552, 689]),
];
