#!/usr/bin/env python3
"""Equilibria of games with hidden information beside those of OpenSpiel on the same games.

    python3 -m venv venv && venv/bin/pip install open_spiel
    cargo build --release
    venv/bin/python crates/bench/openspiel/equilibria.py --ludens target/release/ludens

Both run CFR+ for the same number of rounds, ours on our rule sheets, theirs on games written by hand in C++. The value of the
game for the first player and the exploitability are told in chips (dice: a game won is 1, one lost is -1), the average gain of
a best response as OpenSpiel counts it. What OpenSpiel finds after many more rounds is taken for the true value.
"""

import argparse
import json
import subprocess
import sys
import time

try:
    import pyspiel
except ImportError:
    sys.exit("OpenSpiel is missing: pip install open_spiel")

# The game's name here and there, goals (0 to 100) in a chip, and its value if that is known.
GAMES = [
    ("kuhn-poker", "kuhn_poker", 25.0, -1 / 18),
    ("leduc-poker", "leduc_poker", 3.0, -0.0856),
    ("liars-dice", "liars_dice(dice_sides=6,numdice=1)", 50.0, None),
]


def expected_value(state, policy):
    """What the first player gets when all play a policy."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
    else:
        outcomes = policy.get_state_policy(state)
    return sum(share * expected_value(state.child(action), policy) for action, share in outcomes if share > 0)


def openspiel(name, rounds):
    """Value, exploitability and processor seconds of CFR+."""
    game = pyspiel.load_game(name)
    begin = time.process_time()
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    seconds = time.process_time() - begin
    policy = solver.average_policy()
    return expected_value(game.new_initial_state(), policy), pyspiel.exploitability(game, policy), seconds


def ludens(binary, name, rounds):
    """What `ludens equilibrium` says."""
    command = [binary, "equilibrium", name, "--rounds", str(rounds), "--machine", "circuit", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ludens", default="target/release/ludens", help="the binary")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--games", help="only these of our names, with commas between")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    options = parser.parse_args()
    rows = []
    for ours, theirs, chip, known in GAMES:
        if options.games and ours not in options.games.split(","):
            continue
        value, exploitability, seconds = openspiel(theirs, options.rounds)
        answer = ludens(options.ludens, ours, options.rounds)
        row = {
            "game": ours,
            "known": known,
            "value": (answer["values"][0]["value"] - 50) / chip,
            "exploitability": answer["exploitability"] / chip,
            "information_sets": answer["information_sets"],
            "seconds": answer["seconds"],
            "openspiel_value": value,
            "openspiel_exploitability": exploitability,
            "openspiel_seconds": seconds,
        }
        rows.append(row)
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{options.rounds} rounds of CFR+")
    print("| game | known value | our value | exploitability | OpenSpiel's value | exploitability |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        known = "" if row["known"] is None else f"{row['known']:.4f}"
        print(
            f"| {row['game']} | {known} | {row['value']:.4f} | {row['exploitability']:.5f} "
            f"| {row['openspiel_value']:.4f} | {row['openspiel_exploitability']:.5f} |"
        )


if __name__ == "__main__":
    main()
