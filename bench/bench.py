#!/usr/bin/python3
"""Measures what the README's tables show, on the release build. Needs root, for the virtual machine; no sound card.

    make bench

NOTICES=50 makes it shorter. Planning, start and memory are measured on this machine: each figure is the median of several
runs, with the smallest and the largest; run it on a machine that does nothing else. What is compared with others is
measured in the virtual machine of Tests/Machine, whose time goes by instructions: a busy host does not change it.
"""

import json
import os
import random
import resource
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOUNDBOX = os.path.join(ROOT, ".build/release/soundbox")
PACKS = os.path.join(ROOT, "Resources/Clips")
AMOUNTS = 1_000_000
RUNS = 5
NOTICES = int(os.environ.get("NOTICES", "500"))


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def table(*heads):
    print()
    row(*heads)
    row(*["---"] * len(heads))


def show(what, values, unit, digits=0):
    low, middle, high = (f"{value:,.{digits}f}" for value in (min(values), statistics.median(values), max(values)))
    row(what, f"{middle} {unit} ({low} – {high})")


def processor_time():
    """Seconds that the children so far have used, in the program and in the kernel for it."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def plan_rate(folder):
    generator = random.Random(1)
    lines = (f"{int(10 ** generator.uniform(0, 12))}.{generator.randrange(100):02}\n" for _ in range(AMOUNTS))
    amounts = os.path.join(folder, "amounts")
    with open(amounts, "w") as file:
        file.writelines(lines)
    for pack, style in (("zh-CN", "decimal"), ("zh-CN", "jiaofen"), ("en", "decimal")):
        rates = []
        for _ in range(RUNS):
            with open(amounts) as file:
                start = processor_time()
                subprocess.run(
                    [SOUNDBOX, "plan", "--stdin", "--pack", f"{PACKS}/{pack}", "--style", style],
                    stdin=file, stdout=subprocess.DEVNULL, check=True,
                )
            rates.append(AMOUNTS / (processor_time() - start))
        show(f"`plan --stdin`, `{pack}` {style}, {AMOUNTS:,} random amounts", rates, "per second of one core")


class Box:
    """A broker, and daemons that are started at it."""

    def __init__(self, folder):
        self.folder = folder
        self.port = random.randrange(20000, 30000)
        self.file("broker.conf", f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        self.broker = subprocess.Popen(["mosquitto", "-c", f"{folder}/broker.conf"], stderr=subprocess.DEVNULL)
        self.configuration = self.file(
            "box.conf",
            f"[box]\nid = bench\nstate_dir = {folder}/state\n[broker]\nhost = 127.0.0.1\nport = {self.port}\n"
            f"[voice]\npacks_dir = {PACKS}\n[audio]\ndevice = null\n[panel]\nprompts = none\n",
        )
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except ConnectionRefusedError:
                if self.broker.poll() is not None:
                    raise SystemExit("bench: the broker did not start")
                time.sleep(0.05)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def start(self):
        """Starts a daemon; returns it with the seconds until its status says online."""
        command = ["mosquitto_sub", "-p", str(self.port), "-t", "soundbox/bench/status"]
        listener = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        start = time.monotonic()
        daemon = subprocess.Popen([SOUNDBOX, "run", "--config", self.configuration], stderr=subprocess.DEVNULL)
        for line in listener.stdout:
            if '"online"' in line:
                break
        taken = time.monotonic() - start
        listener.terminate()
        return daemon, taken

    def forget(self):
        """Takes the retained status away, so that the next one is seen."""
        subprocess.run(
            ["mosquitto_pub", "-p", str(self.port), "-r", "-n", "-t", "soundbox/bench/status"], check=True)

    def close(self):
        self.broker.terminate()
        self.broker.wait()


def resident(daemon):
    with open(f"/proc/{daemon.pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))


def host():
    """What needs no sound card."""
    table("what", "")
    with tempfile.TemporaryDirectory() as folder:
        plan_rate(folder)
        box = Box(folder)
        starts, memory = [], []
        for _ in range(RUNS):
            daemon, taken = box.start()
            starts.append(taken * 1000)
            memory.append(resident(daemon))
            daemon.terminate()
            daemon.wait()
            box.forget()
        show("start of the process → status `online`, broker up, 24 kHz pack at 48 kHz", starts, "ms")
        show("resident memory with one pack loaded", memory, "MB", 1)
        box.close()


def machine():
    """Soundbox beside its peers: the figures that bench/machine/figures prints."""
    with open(f"{ROOT}/scripts/packages") as file:
        peers = next(line.split()[1:] for line in file if line.startswith("peers "))
    subprocess.run(
        [f"{ROOT}/Tests/Machine/run", "--tests", "bench/machine", "--variant", "peers", ",".join(peers), "--skip-idle",
         "--set", f"NOTICES={NOTICES}", "figures"], check=True)
    with open(f"{ROOT}/build/machine/bookworm-peers.run/results/figures.log") as log:
        figures = [json.loads(line) for line in log if line.startswith("{")]
    return {what: {figure["name"]: figure for figure in figures if figure["what"] == what}
            for what in ("latency", "inserted", "idle", "online", "loaded")}


NAMES = {
    "soundbox": "Soundbox", "shell": "`mosquitto_sub \\| while read … aplay`",
    "python": "Python: paho-mqtt, pygame's mixer", "mpd": "mpd", "mpg123": "mpg123 in remote mode (MP3)",
    "soundbox, warm": "Soundbox, `warm`", "soundbox, standby": "Soundbox, `standby`",
}


def compare(figures):
    ours = figures["latency"]["soundbox"]["median"]
    table(f"{NOTICES} notices", "median", "99th percentile", "times Soundbox's", "inserted at each join")
    for name, figure in figures["latency"].items():
        inserted = figures["inserted"][name]["frames"]
        lost = f", {figure['lost']} not heard" if figure["lost"] else ""
        row(NAMES[name], f"{figure['median']:.1f} ms", f"{figure['p99']:.1f} ms{lost}",
            f"{figure['median'] / ours:.1f}", f"{inserted:.0f} samples" if name == "soundbox" else f"{inserted / 48:.1f} ms")
    table("idle", "processor, % of the core", "resident memory")
    for name, figure in figures["idle"].items():
        row(NAMES.get(name, name), f"{figure['percent']:.3f}", f"{figure['megabytes']:.1f} MB")
    table("under stress-ng", "median", "99th percentile", "heard whole, sample for sample")
    for name, figure in figures["loaded"].items():
        row(NAMES[name], f"{figure['median']:.1f} ms", f"{figure['p99']:.1f} ms",
            f"{figure['whole']} of {figure['notices']}")
    print(f"\nFrom start to online there: {figures['online']['soundbox']['milliseconds']:.0f} ms.")


def main():
    host()
    compare(machine())


if __name__ == "__main__":
    main()
