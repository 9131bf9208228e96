#!/usr/bin/python3
"""Measures the journal: commits and look-ups with 200,000 rows, in memory and on the disk that the build is on, and a burst.

    make bench

The burst is 10,000 payments, published as fast as the broker takes them to a daemon on ALSA's `null`, which plays in real
time: how long until each has its last receipt, how much memory the daemon took for it, and how late the next payment is.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

from bench import ROOT, Box, resident, show

ROWS = 200_000
BURST = 10_000


def figures(where, parent):
    with tempfile.TemporaryDirectory(dir=parent, prefix="soundbox-bench-") as folder:
        run = subprocess.run(
            [os.path.join(ROOT, ".build/release/JournalBench"), folder, str(ROWS)],
            check=True, stdout=subprocess.PIPE, text=True,
        )
    for line in run.stdout.splitlines():
        what, unit, *values = line.split("\t")
        show(f"{where}: {what}", [float(value) for value in values], unit, 1 if unit in ("ms", "µs") else 0)


def peak(daemon):
    with open(f"/proc/{daemon.pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))


def burst():
    with tempfile.TemporaryDirectory() as folder:
        box = Box(folder)
        daemon, _ = box.start()
        # What a first payment loads is not the burst's.
        box.latencies(3)
        before = resident(daemon)
        listener = box.follow("receipt", "-q", "1", "-i", "bench-backend")
        publisher = subprocess.Popen(
            ["mosquitto_pub", "-p", str(box.port), "-q", "1", "-t", "soundbox/bench/pay", "-l"],
            stdin=subprocess.PIPE, text=True,
        )
        start = time.monotonic()
        # The listener has subscribed before the first receipt: all of them are wanted.
        for number in range(BURST):
            publisher.stdin.write(f'{{"id":"{start}-{number}","channel":"alipay","amountMinor":{number + 1}}}\n')
        publisher.stdin.close()
        accepted, final = set(), {}
        published = recorded = None
        for line in listener.stdout:
            receipt = json.loads(line)
            if receipt["state"] == "accepted":
                accepted.add(receipt["id"])
                if len(accepted) == BURST:
                    recorded = time.monotonic() - start
            elif receipt["state"] != "speaking":
                final[receipt["id"]] = receipt["state"]
                if len(final) == BURST:
                    break
            if published is None and publisher.poll() is not None:
                published = time.monotonic() - start
        done = time.monotonic() - start
        listener.terminate()
        states = {state: list(final.values()).count(state) for state in set(final.values())}
        print(f"burst of {BURST:,}: {len(accepted):,} recorded, {states}", flush=True)
        show("burst: until all are recorded", [recorded], "s", 1)
        show("burst: until all have their last receipt", [done], "s", 1)
        show("burst: memory beyond what it was before", [peak(daemon) - before], "MB", 1)
        show("burst: the next payment, received → first sample", box.latencies(1), "ms")
        daemon.terminate()
        daemon.wait()
        box.close()


def main():
    figures("in memory", "/dev/shm")
    figures("on the disk", os.path.join(ROOT, ".build"))
    burst()


if __name__ == "__main__":
    sys.exit(main())
