#!/usr/bin/env python3
"""Simulations per second of Ludens beside those of OpenSpiel's C++ search.

    python3 -m venv venv && venv/bin/pip install open_spiel
    cargo build --release
    venv/bin/python crates/bench/openspiel/compare.py --ludens target/release/ludens

Both search from the first position of the game, one thread, one uniformly random playout a
simulation, and are counted by seconds of the processor, tree included. The two take turns on the same
machine, so that its mood is theirs alike; the median of the rounds counts. OpenSpiel's games are
written by hand in C++, ours are the rule sheets of this project.

Our batches grow with the tree, so the length of a search matters to us: by default it is what a second
brings at least in all these games, and shorter ones have lower ratios. OpenSpiel is as fast in short searches as in long ones, or a little
faster; its own are shorter, or one in Othello would take most of a minute.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

try:
    import pyspiel
except ImportError:
    sys.exit("OpenSpiel is missing: pip install open_spiel")

# The game's name here and there.
GAMES = [
    ("connect-four", "connect_four"),
    ("breakthrough", "breakthrough"),
    ("othello", "othello"),
    ("checkers", "checkers"),
]


def openspiel(name, simulations, seconds, seed):
    """Simulations per processor second of MCTSBot, each search with a tree of its own."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 4000, False, seed, False)
    state = game.new_initial_state()
    bot.step(state)
    searches, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        bot.step(state)
        searches += 1
    return searches * simulations / (time.process_time() - begin)


def ludens(binary, name, simulations, seconds, threads):
    """What `ludens bench --search` says."""
    command = [binary, "bench", "--search", name, "--json", "--seconds", str(seconds)]
    command += ["--simulations", str(simulations), "--threads", str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout)["games"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ludens", default="target/release/ludens", help="the binary")
    parser.add_argument("--simulations", type=int, default=100_000, help="of each of our searches")
    parser.add_argument("--their-simulations", type=int, default=10_000, help="of each of OpenSpiel's, if fewer")
    parser.add_argument("--seconds", type=float, default=1.0, help="of the processor, for each round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    options = parser.parse_args()
    fewer = min(options.simulations, options.their_simulations)
    rows = []
    for ours, theirs in GAMES:
        there, here, two = [], [], []
        for seed in range(options.rounds):
            there.append(openspiel(theirs, fewer, options.seconds, seed + 1))
            one = ludens(options.ludens, ours, options.simulations, options.seconds, 1)
            here.append(one["simulations_per_cpu_second"])
            both = ludens(options.ludens, ours, options.simulations, options.seconds, 2)
            two.append(both["simulations_per_second"] / one["simulations_per_second"])
        rows.append({
            "game": ours,
            "openspiel": statistics.median(there),
            "ludens": statistics.median(here),
            "ratio": statistics.median(here) / statistics.median(there),
            "two_threads": statistics.median(two),
        })
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'game':14} {'OpenSpiel/s':>12} {'Ludens/s':>12} {'ratio':>7} {'2 threads':>10}")
    for row in rows:
        print(f"{row['game']:14} {row['openspiel']:12,.0f} {row['ludens']:12,.0f} {row['ratio']:7.1f} "
              f"{row['two_threads']:9.2f}x")


if __name__ == "__main__":
    main()
