"""Hosts on one computer for tests: a network namespace each, and a share of a core if wanted.

    with Hosts(["one", "two"], share=0.2) as hosts:
        hosts.start("two", "ludens", "helper", ..)

Building them needs root and `ip`; `NotHere` tells what is missing.
"""
import os, subprocess

CGROUP = "/sys/fs/cgroup"
PERIOD = 10_000  # microseconds: short beside the clocks of matches


class NotHere(Exception):
    """Hosts cannot be built on this computer."""


def run(*command):
    try:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except FileNotFoundError as error:
        raise NotHere(f"there is no {command[0]}") from error
    except subprocess.CalledProcessError as error:
        raise NotHere(error.stderr.decode(errors="replace").strip()) from error


class Hosts:
    """Network namespaces on one bridge. With a share, all that runs on a host has that much of a core together."""

    def __init__(self, names, net=7, share=None):
        self.prefix = f"lud{os.getpid() % 10000}n{net}"
        self.addresses = {name: f"10.77.{net}.{number + 1}" for number, name in enumerate(names)}
        self.share, self.started, self.groups = share, [], {}

    def __enter__(self):
        try:
            self.build()
        except (NotHere, OSError) as error:
            self.remove()
            raise NotHere(str(error)) from error
        return self

    def __exit__(self, *_):
        self.stop(self.started)
        self.remove()

    def build(self):
        run("ip", "link", "add", self.prefix, "type", "bridge")
        run("ip", "link", "set", self.prefix, "up")
        for number, (name, address) in enumerate(self.addresses.items()):
            space, outer, inner = f"{self.prefix}{name}", f"{self.prefix}o{number}", f"{self.prefix}i{number}"
            run("ip", "netns", "add", space)
            run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner)
            run("ip", "link", "set", inner, "netns", space)
            run("ip", "link", "set", outer, "master", self.prefix, "up")
            run("ip", "-n", space, "addr", "add", f"{address}/24", "dev", inner)
            run("ip", "-n", space, "link", "set", inner, "up")
            run("ip", "-n", space, "link", "set", "lo", "up")
            if self.share:
                self.groups[name] = self.limit(space)

    def limit(self, space):
        """A group of processes with this share of a core, by either version of control groups."""
        quota = int(self.share * PERIOD)
        old = os.path.join(CGROUP, "cpu")
        group = os.path.join(old if os.path.isdir(old) else CGROUP, space)
        os.makedirs(group, exist_ok=True)
        if os.path.isdir(old):
            files = {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota}
        else:
            files = {"cpu.max": f"{quota} {PERIOD}"}
        for name, value in files.items():
            with open(os.path.join(group, name), "w") as file:
                file.write(str(value))
        return group

    def start(self, name, *command, **kwargs):
        """Starts a command on a host."""
        group = self.groups.get(name)

        def join():
            with open(os.path.join(group, "cgroup.procs"), "w") as file:
                file.write(str(os.getpid()))

        process = subprocess.Popen(["ip", "netns", "exec", f"{self.prefix}{name}", *command],
                                   preexec_fn=join if group else None, **kwargs)
        self.started.append(process)
        return process

    @staticmethod
    def stop(processes):
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()

    def remove(self):
        for name in self.addresses:
            subprocess.run(["ip", "netns", "del", f"{self.prefix}{name}"], stderr=subprocess.DEVNULL)
        for group in self.groups.values():
            os.rmdir(group)
        subprocess.run(["ip", "link", "del", self.prefix], stderr=subprocess.DEVNULL)
