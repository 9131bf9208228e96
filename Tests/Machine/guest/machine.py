"""What the tests in the machine are written with. README.md beside this folder says how.

Waiting is for events, in the machine's own time; the limits are there to end a test that hangs.
"""

import array
import json
import os
import subprocess
import threading
import time
import wave

RATE = 48000
BOOT = int(os.environ.get("BOOT", "1"))
LIMIT = 120


class Failure(Exception):
    """The claim of the test does not hold."""


def expect(condition, text):
    if not condition:
        raise Failure(text)


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def until(what, condition, seconds=LIMIT):
    """Waits until the condition gives something, and returns it."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        expect(time.monotonic() < deadline, f"waited {seconds} s in vain: {what}")
        time.sleep(0.01)


def read(path, default=""):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return default


def power_cut():
    """The plug is pulled: at once, and nothing is written any more. The test is then run again, with BOOT one higher."""
    os.close(os.open("/machine/power-cut", os.O_CREAT | os.O_WRONLY))
    # The chipset's reset register; the host's QEMU ends at a reset.
    port = os.open("/dev/port", os.O_WRONLY)
    os.pwrite(port, bytes([6]), 0xCF9)
    raise Failure("the plug was not pulled")


class Loopback:
    """snd-aloop: what is played on hw:Loopback,0,0 is heard on hw:Loopback,1,0, whether or not anyone plays."""

    def __init__(self, name="Loopback"):
        run("modprobe", "snd-aloop", f"id={name}")
        self.name = name
        until("the loopback card", lambda: read(f"/proc/asound/{name}/pcm1c/sub0/status"))
        run("udevadm", "settle")

    def rename(self, name):
        """Gives the card the name under which it is looked for."""
        card = os.path.basename(os.path.realpath(f"/proc/asound/{self.name}"))
        with open(f"/sys/class/sound/{card}/id", "w") as file:
            file.write(name)
        self.name = name

    def remove(self):
        """Pulls it out, whoever has it open; returns when they all let go of it."""
        with open("/sys/bus/platform/drivers/snd_aloop/unbind", "w") as file:
            file.write("snd_aloop.0")
        run("rmmod", "snd-aloop")

    def stream(self):
        """The state of the stream that is played, as /proc/asound tells it: "closed", or keys and values."""
        return read(f"/proc/asound/{self.name}/pcm0p/sub0/status").strip()

    def record(self):
        return Recording(self)


class Recording:
    """All that the card plays from now on, one channel at 48 kHz."""

    def __init__(self, card):
        self.path = f"recording-{time.monotonic_ns()}"
        self.process = subprocess.Popen(
            ["arecord", "-q", "-D", f"hw:{card.name},1,0", "-t", "raw", "-f", "S16_LE", "-r", str(RATE), "-c", "1",
             self.path])
        self.state = f"/proc/asound/{card.name}/pcm1c/sub0/status"
        until("arecord", lambda: "RUNNING" in read(self.state))
        self.started = stream_time(read(self.state))

    def frames(self):
        return os.path.getsize(self.path) // 2

    def wait(self, seconds):
        """Until so much more was recorded. The recorder writes in pieces: what was heard by now is in it then."""
        end = self.frames() + int(seconds * RATE)
        until("more to be recorded", lambda: self.frames() >= end or self.process.poll() is not None)

    def stop(self, tail=0.5):
        """The samples."""
        if tail:
            self.wait(tail)
        self.process.terminate()
        self.process.wait()
        with open(self.path, "rb") as file:
            data = file.read()
        return samples(data)


def samples(data):
    values = array.array("h")
    values.frombytes(data[: len(data) // 2 * 2])
    return values


def stream_time(status):
    """When a stream was started, in seconds of the monotonic clock."""
    return next(float(line.split(":")[1]) for line in status.splitlines() if line.startswith("trigger_time"))


def render(*arguments, volume=100):
    """What `soundbox render` writes."""
    run("/usr/bin/soundbox", "render", *arguments, "--pack", "/usr/share/soundbox/clips/zh-CN", "--rate", str(RATE),
        "--volume", str(volume), "--out", "render.wav")
    with wave.open("render.wav") as file:
        expect(file.getparams()[:3] == (1, 2, RATE), f"render: {file.getparams()}")
        return samples(file.readframes(file.getnframes()))


def clips(*arguments):
    """Where the clips of an announcement start, in frames, to the millisecond."""
    lines = run("/usr/bin/soundbox", "plan", *arguments, "--pack", "/usr/share/soundbox/clips/zh-CN", "--explain")
    words = [line.split() for line in lines.splitlines()]
    return [int(line[0]) * RATE // 1000 for line in words if len(line) > 3 and line[2] == "ms" and line[3] != "pause"]


def edges(values):
    """Where the first sample is that is not zero, and the end behind the last one."""
    first = next((index for index, value in enumerate(values) if value), len(values))
    last = next((index for index in range(len(values), first, -1) if values[index - 1]), first)
    return first, last


def common(one, other):
    """How many samples two sequences have in common from their start."""
    return next((index for index, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def expect_heard(heard, *announcements):
    """The recording has these in this order, sample for sample, and otherwise silence. Returns where they start."""
    position, starts = 0, []
    for number, announcement in enumerate(announcements, 1):
        first, last = edges(announcement)
        sound = announcement[first:last]
        position += edges(heard[position:])[0]
        expect(position < len(heard), f"announcement {number} of {len(announcements)} was not heard")
        same = common(sound, heard[position:])
        expect(same == len(sound),
               f"announcement {number} differs from what render writes, {same} of {len(sound)} samples after its start: "
               f"heard {list(heard[position + same:position + same + 8])}, expected {list(sound[same:same + 8])}")
        starts.append(position - first)
        position += same
    rest = edges(heard[position:])[0]
    expect(position + rest == len(heard), f"something more was heard {rest / RATE:.3f} s after the last announcement")
    return starts


class Box:
    """A broker, somebody who hears all that is published there, and the daemon as the system's service."""

    def __init__(self, **sections):
        """Each section of the configuration is a dictionary."""
        settings = {
            "box": {"id": "box"}, "broker": {"host": "127.0.0.1"},
            "audio": {"device": "hw:Loopback,0,0", "volume": 100}, "panel": {"prompts": "none"},
        }
        for section, values in sections.items():
            settings.setdefault(section, {}).update(values)
        with open("/etc/soundbox/soundbox.conf", "w") as file:
            for section, values in settings.items():
                file.write(f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items()))
        self.messages = []
        self.news = threading.Condition()
        with open("broker.conf", "w") as file:
            file.write("listener 1883 127.0.0.1\nallow_anonymous true\n")
        self.broker = subprocess.Popen(["mosquitto", "-c", "broker.conf"], stderr=subprocess.DEVNULL)
        until("the broker", lambda: subprocess.run(
            ["mosquitto_pub", "-t", "ready", "-m", "1", "-r"], stderr=subprocess.DEVNULL).returncode == 0)
        self.listener = subprocess.Popen(
            ["mosquitto_sub", "-q", "1", "-t", "#", "-F", "%t %p"], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._listen, daemon=True).start()
        self.message("ready", lambda message: True)

    def _listen(self):
        for line in self.listener.stdout:
            topic, _, payload = line.rstrip("\n").partition(" ")
            try:
                message = json.loads(payload)
            except ValueError:
                message = payload
            print(f"{time.monotonic():.3f} {line}", end="", flush=True)
            with self.news:
                self.messages.append((topic.removeprefix("soundbox/box/"), message))
                self.news.notify_all()

    def message(self, topic, matches, seconds=LIMIT):
        """Waits for a message, or finds the first that came already."""
        def found():
            return next((message for other, message in self.messages if other == topic and matches(message)), None)
        with self.news:
            expect(self.news.wait_for(lambda: found() is not None, seconds), f"nothing came on {topic}")
            return found()

    def start(self):
        """Starts the daemon, and waits for its status."""
        seen = len(self.messages)
        run("systemctl", "start", "soundbox")
        self.status(lambda status: status["state"] == "online", after=seen)

    def status(self, matches, after=0):
        """Waits for a status that came after so many messages."""
        def found():
            return next((message for topic, message in self.messages[after:]
                         if topic == "status" and message and matches(message)), None)
        with self.news:
            expect(self.news.wait_for(lambda: found() is not None, LIMIT), "the status that was waited for did not come")
            return found()

    def stop(self):
        run("systemctl", "stop", "soundbox")

    @property
    def pid(self):
        return int(run("systemctl", "show", "-P", "MainPID", "soundbox"))

    def publish(self, topic, payload):
        run("mosquitto_pub", "-q", "1", "-t", f"soundbox/box/{topic}", "-m", json.dumps(payload))

    def pay(self, id, amount, **more):
        self.publish("pay", {"id": id, "amount": amount, "currency": "CNY", **more})

    def receipt(self, id, state):
        return self.message("receipt", lambda receipt: receipt["id"] == id and receipt["state"] == state)

    def states(self, id):
        """What came of a notice so far."""
        return [message["state"] for topic, message in self.messages if topic == "receipt" and message["id"] == id]

    def command(self, id, do, **more):
        self.publish("cmd", {"id": id, "do": do, **more})
        return self.message("cmd/reply", lambda reply: reply["id"] == id)


class Chip:
    """A simulated GPIO chip (gpio-sim): its LEDs can be read, its buttons pressed.

    lines: offset → name. The chip is found by its label, and its path is in `device`.
    """

    def __init__(self, label="box", count=8, lines=()):
        run("modprobe", "gpio-sim")
        if not os.path.ismount("/sys/kernel/config"):
            run("mount", "-t", "configfs", "configfs", "/sys/kernel/config")
        self.folder = f"/sys/kernel/config/gpio-sim/{label}"
        bank = f"{self.folder}/bank0"
        os.makedirs(bank)
        self._set(f"{bank}/num_lines", count)
        self._set(f"{bank}/label", label)
        for offset, name in dict(lines).items():
            os.mkdir(f"{bank}/line{offset}")
            self._set(f"{bank}/line{offset}/name", name)
        self._set(f"{self.folder}/live", 1)
        name = read(f"{bank}/chip_name").strip()
        self.device = f"/dev/{name}"
        self.lines = f"/sys/devices/platform/{read(f'{self.folder}/dev_name').strip()}/{name}"
        until(self.device, lambda: os.path.exists(self.device))
        run("udevadm", "settle")

    @staticmethod
    def _set(path, value):
        with open(path, "w") as file:
            file.write(str(value))

    def level(self, offset):
        """What a line carries: 0 or 1."""
        return int(read(f"{self.lines}/sim_gpio{offset}/value"))

    def watch(self, offset):
        return Watch(lambda: self.level(offset))

    def pull(self, offset, level):
        """What the world outside does to an input: 0 or 1."""
        self._set(f"{self.lines}/sim_gpio{offset}/pull", "pull-up" if level else "pull-down")


class Watch:
    """Looks at a level all the time: `changes` are the times of the monotonic clock and what it became."""

    def __init__(self, look):
        self.look = look
        self.changes = [(time.monotonic(), look())]
        self.is_over = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.is_over:
            level = self.look()
            if level != self.changes[-1][1]:
                self.changes.append((time.monotonic(), level))
            time.sleep(0.005)

    def stop(self):
        """How long each level was, in seconds, from the first look to the last."""
        self.is_over = True
        self.thread.join()
        times = [at for at, _ in self.changes] + [time.monotonic()]
        return [(level, end - at) for (at, level), end in zip(self.changes, times[1:])]


def like(spans, pattern, tolerance=0.05):
    """Whether levels were as long as a pattern of (level, seconds) says; None for any length."""
    return len(spans) == len(pattern) and all(
        level == wanted and (length is None or abs(seconds - length) <= tolerance)
        for (level, seconds), (wanted, length) in zip(spans, pattern))
