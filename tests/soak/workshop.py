"""A queue whose workers and server are killed while arenas have their matches played there."""
import json, os, random, signal, socket, subprocess, time, urllib.request

from thrown import LUDENS, count, fault, free_port

NATS = os.environ.get("LUDENS_NATS_SERVER", "nats-server")
ARENA = ["arena", "tic-tac-toe", "nim", "--players", "cadia-uct@60,mc@60,random@1", "--matches", "8", "--json"]
# Seconds after which an arena does not end any more. A job of a worker that was killed is given to another after 20 s.
LONGEST = 900


def results(text):
    """Everything that an arena says but how long it took."""
    answer = json.loads(text)
    games = [(game["matches"], [(one["against"], one["total"], one["mean_goal"]) for one in game["players"]])
             for game in answer["games"]]
    return answer["matches"], games


class Workshop:
    """A server of a queue, and two workers."""

    def __init__(self, folder):
        self.port, self.monitor, self.streams = free_port(), free_port(), os.path.join(folder, "streams")
        self.url, self.log = f"nats://127.0.0.1:{self.port}", open(os.path.join(folder, "cluster.log"), "ab")
        self.nats, self.workers = self.server(), []
        self.workers = [self.worker(), self.worker()]

    def start(self, *command, **more):
        return subprocess.Popen(command, stderr=self.log, **{"stdout": self.log, **more})

    def server(self):
        """A server that listens. Whoever is started while there is none ends at once, as it should."""
        nats = self.start(NATS, "-a", "127.0.0.1", "-p", str(self.port), "-m", str(self.monitor), "-js", "-sd", self.streams)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        return nats

    def worker(self):
        return self.start(LUDENS, "worker", "--cluster", self.url, "--jobs", "1")

    def is_connected(self, name):
        """Whether somebody of this name is known to the server."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/connz", timeout=5) as answer:
                return any(one.get("name") == name for one in json.load(answer)["connections"])
        except (OSError, ValueError):
            return False

    def disturb(self, dice):
        """Something happens to a worker, and now and then to the server."""
        place = dice.randrange(2)
        if dice.randrange(3):
            self.workers[place].kill()
            self.workers[place].wait()
            count("workers killed")
            self.workers[place] = self.worker()
        else:
            self.workers[place].send_signal(signal.SIGSTOP)
            count("workers stopped")
            time.sleep(dice.uniform(0, 2))
            self.workers[place].send_signal(signal.SIGCONT)
        if dice.randrange(4) == 0:
            self.nats.kill()
            self.nats.wait()
            count("servers of the queue killed")
            time.sleep(dice.uniform(0, 2))
            self.nats = self.server()

    def refill(self):
        """A worker that came while there was no server has gone again."""
        for place, worker in enumerate(self.workers):
            if worker.poll() is not None:
                count("workers that found no server")
                self.workers[place] = self.worker()

    def end(self):
        for process in [self.nats, *self.workers]:
            process.kill()
            process.wait()


def work(options, folder, over):
    """Arenas whose matches are played by workers, with the results of one computer."""
    dice = random.Random(f"{options.seed}/workers")
    shop, number = Workshop(folder), 0
    try:
        while not over.is_set():
            number += 1
            # Another seed is other jobs: answers to those before are kept.
            seed = ["--seed", str(number)]
            wanted = results(subprocess.run([LUDENS, *ARENA, *seed], check=True, stdout=subprocess.PIPE).stdout)
            arena = shop.start(LUDENS, *ARENA, *seed, "--cluster", shop.url, stdout=subprocess.PIPE)
            begin, disturbances, out = time.monotonic(), dice.randint(1, 3), None
            while out is None and time.monotonic() < begin + LONGEST:
                if disturbances and shop.is_connected("ludens asker"):
                    time.sleep(dice.uniform(0.1, 1.5))
                    shop.disturb(dice)
                    disturbances -= 1
                shop.refill()
                try:
                    out, _ = arena.communicate(timeout=0.5)
                except subprocess.TimeoutExpired:
                    pass
            if out is None:
                arena.kill()
                arena.communicate()
                fault(f"an arena of a queue does not end; see {shop.log.name}")
            elif arena.returncode != 0:
                fault(f"an arena of a queue ended with {arena.returncode}; see {shop.log.name}")
            elif results(out) != wanted:
                fault(f"the arena of the seed {number} has other results by workers")
            else:
                count("matches of workers", wanted[0])
    finally:
        shop.end()
