"""Players that mean harm, and strangers at a host that players connect to."""
import json, os, random, socket, subprocess, threading, time

from thrown import LUDENS, count, exchange, fault, free_port, mutated, received

# What players say, fitting or not.
ANSWERS = [b"ready", b"(mark 1 1)", b"(mark 2 2)", b"noop", b"(take a 1)", b"done", b"((name h)(status available))"]
WAYS = {"fitting": 30, "damaged answer": 40, "damaged head": 10, "wrong length": 6, "long answer": 2, "long head": 3,
        "letter by letter": 4, "silence": 2, "closed": 3}


class HostilePlayer(threading.Thread):
    """A player that listens, and whose answers are damaged in every way."""

    def __init__(self, seed):
        super().__init__(daemon=True)
        self.seed, self.number = seed, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def run(self):
        while True:
            stream, _ = self.listener.accept()
            self.number += 1
            threading.Thread(target=self.serve, args=(stream, self.number), daemon=True).start()

    def serve(self, stream, number):
        dice = random.Random(f"{self.seed}/answer/{number}")
        try:
            with stream:
                stream.settimeout(20)
                request = received(stream)
                way = dice.choices(list(WAYS), list(WAYS.values()))[0]
                answer = dice.choice(ANSWERS)
                if b"(INFO)" in request:
                    # Whoever does not answer this is not played with.
                    way, answer = "fitting", ANSWERS[-1]
                count("hostile answers: " + way)
                self.answer(stream, dice, way, answer)
        except OSError:
            count("hostile answers: not waited for")

    def answer(self, stream, dice, way, answer):
        head = b"HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\nContent-Length: %d\r\n\r\n"
        if way == "damaged answer":
            answer = mutated(dice, answer)
        elif way == "long answer":
            answer = answer * dice.randint(1, 400_000)
        whole = head % len(answer) + answer
        if way == "damaged head":
            whole = mutated(dice, head % len(answer)) + answer
        elif way == "wrong length":
            whole = head % dice.choice([0, 1, len(answer) - 1, len(answer) + 9, 1 << 31, 1 << 63]) + answer
        elif way == "long head":
            whole = whole.replace(b"\r\n\r\n", b"\r\n" + b"X: y\r\n" * dice.randint(50, 20_000) + b"\r\n", 1)
        if way == "silence":
            time.sleep(dice.uniform(0, 5))
        elif way == "letter by letter":
            for letter in whole:
                stream.sendall(bytes([letter]))
                time.sleep(dice.uniform(0, 0.05))
        elif way != "closed":
            stream.sendall(whole)


def hostile(options, player, start_referee, over):
    """Matches with a player that means harm: each of them is finished all the same."""
    number = 0
    while not over.is_set():
        number += 1
        process = start_referee(["tic-tac-toe", "nim"][number % 2], [f"127.0.0.1:{player.port}", "random"], 4, 1, ["--at-once", "4"])
        try:
            out, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            fault("matches with a hostile player do not end")
            continue
        if process.returncode not in (0, 1) or b"panicked" in errors:
            fault(f"a referee of a hostile player ended with {process.returncode}: {errors.decode(errors='replace')[-500:]}")
            continue
        answer = json.loads(out)
        count("matches with a hostile player", answer["finished"])
        if answer["finished"] != 4:
            fault(f"{answer['finished']} of 4 matches with a hostile player are finished")
        if any(answer["standings"][1]["trouble"].values()):
            fault(f"whoever plays against a hostile player has trouble: {answer['standings'][1]['trouble']}")


# Strangers who knock at the same time.
STRANGERS = 2
TOKENS = {"Cleo": "a-word-of-cleos", "Eve": "a-word-of-eves"}
CUP = """name = "soak"
seed = {number}
start_clock = {clock}
play_clock = {clock}
at_once = 3
listen = "127.0.0.1:{port}"
entrants = [{{name = "Cleo", connect = true, token_env = "CLEO"}}, {{name = "Eve", connect = true, token_env = "EVE"}},
            {{name = "Dora", agent = "random@1"}}]
[[stages]]
kind = "round-robin"
games = ["nim", "tic-tac-toe"]
"""


class Eve:
    """A player that connects, and brings damaged answers."""

    def __init__(self, options, port):
        self.dice, self.port, self.session, self.seen = random.Random(f"{options.seed}/eve"), port, None, 0

    def post(self, path, body, limit=30):
        head = f"POST {path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {TOKENS['Eve']}\r\nContent-Length: {len(body)}\r\n\r\n"
        answer = exchange(self.port, head.encode() + body, limit)
        status, _, text = answer.partition(b"\r\n\r\n")
        if b" 410 " in status[:20]:
            self.session = None
        return text if b" 200 " in status[:20] else b"{}"

    def come(self):
        """Asks for questions once, and answers them in some way."""
        if self.session is None:
            joined = json.loads(self.post("/join", b'{"version": 1, "name": "Eve"}'))
            self.session, self.seen = joined.get("session"), 0
        asked = json.loads(self.post("/next", self.said(seen=self.seen)))
        for question in asked.get("questions", []):
            self.seen = max(self.seen, question["id"])
            answer = mutated(self.dice, self.dice.choice(ANSWERS)).decode("latin-1")
            body = self.said(id=question["id"], text=answer)
            if self.dice.randrange(4) == 0:
                count("lobby: damaged answers of a player")
                self.post("/answer", mutated(self.dice, body))
            if self.dice.randrange(20):
                self.post("/answer", body)
                count("lobby: wrong answers of a player")

    def said(self, **more):
        return json.dumps({"name": "Eve", "session": self.session, **more}).encode()

    def attend(self, over):
        while not over.is_set():
            try:
                self.come()
            except (OSError, ValueError):
                # The next tournament is not there yet.
                time.sleep(0.2)


def strangers(options, port, place, over):
    """Damaged messages of those who are not expected."""
    number = place
    while not over.is_set():
        number += STRANGERS
        dice = random.Random(f"{options.seed}/lobby/{number}")
        path = dice.choice(["/join", "/next", "/answer", "/elsewhere", "/"])
        body = mutated(dice, dice.choice([b'{"version": 1, "name": "Cleo"}', b'{"name": "Cleo", "session": "x", "seen": 0}',
                                          b'{"name": "Cleo", "session": "x", "id": 1, "text": "noop"}']))
        head = b"POST %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer a-word-of-nobodys\r\nContent-Length: %d\r\n\r\n"
        head %= path.encode(), len(body)
        try:
            answer = exchange(port, (mutated(dice, head) if dice.randrange(20) == 0 else head) + body)
            status = answer[9:12].decode(errors="replace")
            count("lobby: damaged messages of strangers")
            if status == "200":
                fault(f"message {number} to the lobby let a stranger in")
        except ConnectionRefusedError:
            time.sleep(0.2)
        except OSError:
            count("lobby: damaged messages, closed")


def lobby(options, folder, over):
    """Tournaments to which two players connect, of whom one means harm, while strangers knock: the other plays in peace."""
    port = free_port()
    log = open(os.path.join(folder, "lobby.log"), "ab")
    start = lambda *command, **more: subprocess.Popen([LUDENS, *command], stderr=log, **more)
    cleo = start("player", "--connect", f"http://127.0.0.1:{port}", "--name", "Cleo", "--agent", "random", "--memory", "64",
                 "--threads", "1", "--no-ponder", stdout=log, env={**os.environ, "LUDENS_TOKEN": TOKENS["Cleo"]})
    others = [threading.Thread(target=Eve(options, port).attend, args=(over,))]
    others += [threading.Thread(target=strangers, args=(options, port, place, over)) for place in range(STRANGERS)]
    [other.start() for other in others]
    words = {**os.environ, "CLEO": TOKENS["Cleo"], "EVE": TOKENS["Eve"]}
    number = 0
    try:
        while not over.is_set():
            number += 1
            path = os.path.join(folder, f"cup{number}.toml")
            with open(path, "w") as file:
                file.write(CUP.format(number=number, clock=options.clock, port=port))
            process = start("tournament", path, "--json", stdout=subprocess.PIPE, env=words)
            out = b""
            while process.poll() is None and not over.is_set():
                try:
                    out, _ = process.communicate(timeout=1)
                except subprocess.TimeoutExpired:
                    pass
            if process.poll() is None:
                # The time is over.
                process.kill()
                process.communicate()
                break
            if process.returncode != 0:
                fault(f"a tournament with a lobby ended with {process.returncode}; see {log.name}")
                time.sleep(1)
                continue
            answer = json.loads(out)
            count("lobby: matches", len(answer["matches"]))
            for standing in answer["standings"]:
                if standing["player"] != "Eve" and any(standing["trouble"].values()):
                    fault(f"{standing['player']} has trouble in a tournament with a lobby: {standing['trouble']}")
            if cleo.poll() is not None:
                fault(f"the player that connects has ended with {cleo.returncode}; see {log.name}")
                break
    finally:
        [other.join() for other in others]
        cleo.kill()
        cleo.wait()
