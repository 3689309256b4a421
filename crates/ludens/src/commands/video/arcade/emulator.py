# The emulator's side of the pipe: reads requests from the standard input, answers on the standard output.
# Needs ale-py (pip install ale-py). Numbers are little-endian.
#
#   L length name seed   load a game by its name or path    -> actions (1 byte)
#   A action frames      hold an action for some frames     -> reward (8 bytes, floating), over (1 byte)
#   C                    copy the state                     -> its number (4 bytes)
#   R number             go back to a copy
#   F number             forget a copy
#   M                    the memory                         -> 128 bytes
#   S                    the screen                         -> width, height (2 bytes each), a byte of grey a pixel
#   Z                    start the game anew
#
# Every answer begins with + or, if the request failed, with - and a length (4 bytes) and a message.
import os
import struct
import sys

answers = os.fdopen(os.dup(1), "wb")
# What the emulator prints must not get between the answers.
os.dup2(2, 1)
requests = sys.stdin.buffer


def read(count):
    data = requests.read(count)
    if len(data) < count:
        sys.exit(0)
    return data


def number(form):
    return struct.unpack("<" + form, read(struct.calcsize("<" + form)))[0]


class Games:
    def __init__(self):
        self.ale = None
        self.saved = {}
        self.next = 0

    def load(self, name, seed):
        from ale_py import ALEInterface, LoggerMode, roms

        ALEInterface.setLoggerMode(LoggerMode.Error)
        path = name if os.path.exists(name) else roms.get_rom_path(name)
        if path is None:
            raise ValueError("there is no game " + name)
        self.ale = ALEInterface()
        self.ale.setInt("random_seed", seed & 0x7FFFFFFF)
        self.ale.setFloat("repeat_action_probability", 0.0)
        self.ale.loadROM(str(path))
        self.actions = list(self.ale.getMinimalActionSet())
        return struct.pack("<B", len(self.actions))

    def act(self, action, frames):
        reward = 0.0
        for _ in range(frames):
            if self.ale.game_over():
                break
            reward += self.ale.act(self.actions[action])
        return struct.pack("<dB", reward, self.ale.game_over())

    def copy(self):
        self.saved[self.next] = self.ale.cloneState()
        self.next += 1
        return struct.pack("<I", self.next - 1)

    def restore(self, which):
        self.ale.restoreState(self.saved[which])
        return b""

    def forget(self, which):
        self.saved.pop(which, None)
        return b""

    def memory(self):
        return bytes(self.ale.getRAM())

    def screen(self):
        pixels = self.ale.getScreenGrayscale()
        return struct.pack("<HH", pixels.shape[1], pixels.shape[0]) + pixels.tobytes()

    def reset(self):
        self.ale.reset_game()
        return b""


games = Games()
while True:
    request = read(1)
    # A request is read whole before it is tried, so that the next one begins where it should.
    if request == b"L":
        name = read(number("I")).decode()
        seed = number("I")
        work = lambda: games.load(name, seed)
    elif request == b"A":
        action, frames = number("B"), number("I")
        work = lambda: games.act(action, frames)
    elif request in b"RF":
        which = number("I")
        work = (lambda: games.restore(which)) if request == b"R" else (lambda: games.forget(which))
    else:
        work = {b"C": games.copy, b"M": games.memory, b"S": games.screen, b"Z": games.reset}.get(request)
        if work is None:
            sys.exit("unknown request " + repr(request))
    try:
        answers.write(b"+" + work())
    except Exception as error:
        message = f"{type(error).__name__}: {error}".encode()[:4000]
        answers.write(b"-" + struct.pack("<I", len(message)) + message)
    answers.flush()
