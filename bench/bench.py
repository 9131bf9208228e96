#!/usr/bin/python3
"""Measures what the README's table shows, on the release build. Needs mosquitto and its clients; no sound card.

    make bench

Each figure is the median of several runs, with the smallest and the largest. Planning is measured in processor time, the
rest by the wall clock: run it on a machine that does nothing else.
"""

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


def show(what, values, unit, digits=0):
    low, middle, high = (f"{value:,.{digits}f}" for value in (min(values), statistics.median(values), max(values)))
    print(f"{what:<54} {middle:>8} {unit} ({low} – {high})", flush=True)


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
        show(f"plan --stdin, {pack} {style}", rates, "amounts per second of one core")


class Box:
    """A broker, and daemons that are started at it."""

    def __init__(self, folder):
        self.folder = folder
        self.port = random.randrange(20000, 30000)
        self.file("broker.conf", f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
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

    def follow(self, topic, *options):
        command = ["mosquitto_sub", "-p", str(self.port), "-t", f"soundbox/bench/{topic}", *options]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def publish(self, topic, payload):
        command = ["mosquitto_pub", "-p", str(self.port), "-q", "1", "-t", f"soundbox/bench/{topic}", "-m", payload]
        subprocess.run(command, check=True)

    def start(self):
        """Starts a daemon; returns it with the seconds until its status says online."""
        listener = self.follow("status")
        start = time.monotonic()
        daemon = subprocess.Popen([SOUNDBOX, "run", "--config", self.configuration], stderr=subprocess.DEVNULL)
        for line in listener.stdout:
            if '"online"' in line:
                break
        taken = time.monotonic() - start
        listener.terminate()
        return daemon, taken

    def latencies(self, count):
        listener = self.follow("receipt")
        values = []
        for index in range(count):
            self.publish("pay", f'{{"id":"{time.monotonic_ns()}-{index}","kind":"order","order":"book"}}')
            for line in listener.stdout:
                if '"spoken"' in line:
                    values.append(int(line.split('"latencyMs":')[1].split(",")[0]))
                    break
        listener.terminate()
        return values

    def close(self):
        self.broker.terminate()
        self.broker.wait()


def resident(daemon):
    with open(f"/proc/{daemon.pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        plan_rate(folder)
        box = Box(folder)
        starts, memory = [], []
        for run in range(RUNS):
            daemon, taken = box.start()
            starts.append(taken * 1000)
            memory.append(resident(daemon))
            if run == RUNS - 1:
                show("notice received → first sample at the device (null)", box.latencies(20), "ms")
            daemon.terminate()
            daemon.wait()
            box.publish("status", "")
        show("start of the process → status online", starts, "ms")
        show("resident memory, zh-CN loaded", memory, "MB", 1)
        box.close()


if __name__ == "__main__":
    main()
