"""What is thrown, what is counted, and how anybody is asked."""
import collections, os, random, re, socket, threading

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LUDENS = os.environ.get("LUDENS", os.path.join(ROOT, "target", "release", "ludens"))
STRANGER = "127.0.0.2"
COUNTDOWN = """(role you) (init (left 9)) (legal you wait) (legal you (go 1)) (<= (next (left 0)) (does you (go 1)))
(<= (next (left 9)) (does you wait)) (<= terminal (true (left 0))) (<= (goal you 100) terminal)"""
MESSAGES = ["(INFO)", f"(PREVIEW ({COUNTDOWN}) 1)", f"(START s.1 you ({COUNTDOWN}) 1 1)", "(PLAY s.1 NIL)",
            "(PLAY s.1 ((go 1)))", "(PLAY s.1 (wait))", "(STOP s.1 (wait))", "(ABORT s.1)"]
LETTERS = b"()() ;\n\tabcdefghijkABCPLAYSTOPinfo0123456789.-?%\0\xff"

counts = collections.Counter()
faults = []
counting = threading.Lock()


def count(what, number=1):
    with counting:
        counts[what] += number


def fault(what):
    with counting:
        faults.append(what)
    print("FAULT:", what, flush=True)


def mutated(dice, message):
    """A message with a few letters changed, removed, repeated or cut off."""
    message = bytearray(message)
    for _ in range(dice.randint(1, 4)):
        at = dice.randint(0, len(message))
        end = min(at + dice.randint(1, 12), len(message))
        what = dice.randrange(6)
        if what == 0:
            message.insert(at, dice.choice(LETTERS))
        elif what == 1:
            del message[at:end]
        elif what == 2 and at < len(message):
            message[at] = dice.choice(LETTERS)
        elif what == 3:
            message[at:at] = message[at:end]
        elif what == 4 and dice.randrange(20) == 0:
            del message[at:]
        elif what == 5 and dice.randrange(50) == 0:
            message[at:at] = b"(" * dice.randint(1, 20000)
    return bytes(message)


def damaged(seed, number):
    """Message number N of a seed."""
    dice = random.Random(f"{seed}/message/{number}")
    return mutated(dice, dice.choice(MESSAGES).encode())


def longest_number(body):
    """The largest number at the end of a message, where the clocks are."""
    numbers = re.findall(rb"\d+", body[-40:])
    return max(map(int, numbers), default=0)


def posted(body):
    return b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def exchange(port, data, limit=30):
    """Sends bytes from a stranger's address; what comes back."""
    with socket.socket() as stream:
        stream.bind((STRANGER, 0))
        stream.settimeout(limit)
        stream.connect(("127.0.0.1", port))
        stream.sendall(data)
        parts = []
        while part := stream.recv(65536):
            parts.append(part)
        return b"".join(parts)


def length(request):
    """How long a request is by what its head says."""
    head, _, _ = request.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            return len(head) + 4 + int(line.split(b":")[1])
    return len(head) + 4


def received(stream):
    """A whole request, or what there is of it."""
    request = b""
    while b"\r\n\r\n" not in request or len(request) < length(request):
        part = stream.recv(65536)
        if not part:
            break
        request += part
    return request


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
