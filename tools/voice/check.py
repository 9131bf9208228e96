"""Renders announcements with `soundbox render`, and measures them against the same sentences spoken whole.

    make voice-check SEED=5 MODEL=DIR VOICES=DIR RECOGNISER=DIR

An offline recogniser (Whisper base) reads both back. Pitch error: of each word of an amount, ten points of its contour,
root mean square. Jump: from the end of a word to the start of the next one. Both as the mean, in semitones.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"  # the recogniser is a folder; nothing is fetched

import numpy as np
import soundfile
from faster_whisper import WhisperModel
from scipy.signal import resample_poly
from soundpack import master, melody, pack
from soundpack.cut import Sentence
from soundpack.hearing import Hearing, amounts
from soundpack.inventory import inventory
from soundpack.kokoro import RATE, Kokoro
from soundpack.text import words

STEP = re.compile(r" *(\d+) +(\d+) ms  \S+\.flac  (.+)")


class Subject:
    """One pack: its announcements by `soundbox`, and the same by its voice in one piece."""

    def __init__(self, folder, options):
        self.folder, self.soundbox = folder, options.soundbox
        self.described = pack.read(folder)
        self.made_of = inventory(folder.name, folder, self.described)
        self.currency, self.say = next(iter(self.made_of.money.items()))
        phrases = self.described["phrases"]
        self.channel = "alipay" if self.described["language"] in ("zh-CN", "en") else "pix" if "payment.pix" in phrases else ""
        self.phrase = phrases[f"payment.{self.channel}" if self.channel else "payment"]
        cache = options.root / "build/voice/sentences"
        self.voice = Kokoro(
            options.model, options.voices, self.made_of.blend, self.made_of.speed, cache, options.threads
        )

    def text(self, minor):
        return self.phrase.replace("{amount}", self.say(minor))

    def _soundbox(self, command, minor, *arguments):
        arguments = [command, f"{minor // 100}.{minor % 100:02}", "--currency", self.currency, *arguments]
        call = [self.soundbox, *arguments, "--channel", self.channel or "other", "--pack", self.folder]
        return subprocess.run(call, capture_output=True, text=True, encoding="utf-8", check=True).stdout

    def render(self, minor):
        """-> samples at RATE, and (start, end, first word, word behind the last) of each clip, in seconds."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.wav")
            self._soundbox("render", minor, "--rate", str(RATE), "--out", file)
            samples = soundfile.read(file)[0]
        clips, at = [], 0
        for line in self._soundbox("plan", minor, "--explain").splitlines():
            step = STEP.fullmatch(line)
            if step:
                start, length, count = int(step[1]) / 1000, int(step[2]) / 1000, len(words(step[3]))
                clips.append((start, start + length, at, at + count))
                at += count
        return samples if samples.ndim == 1 else samples[:, 0], clips

    def whole(self, minor):
        return Sentence(self.voice, self.made_of.speak, self.text(minor) + self.made_of.stop)


def sounding(samples):
    """Seconds from the first to the last sound."""
    loud = np.flatnonzero(np.abs(samples) > 0.01 * np.abs(samples).max())
    return (loud[-1] - loud[0]) / RATE


def measure(subject, recogniser, options):
    language = subject.described["language"]
    hearing = Hearing(language, subject)
    front = len(words(subject.phrase.split("{")[0]))
    right, levels, lengths, rates, errors, jumps, misses = [0, 0], [], [], [], [], [], []
    chosen = list(amounts(options.count, options.seed, whole=subject.currency == "IDR"))
    for done, minor in enumerate(chosen, 1):
        said = subject.text(minor)
        samples, clips = subject.render(minor)
        levels.append(master.loudness(samples))
        rates.append(len(words(said)) / sounding(samples))
        whole = subject.whole(minor)
        lengths.append(sounding(samples) / sounding(whole.samples))
        times = melody.word_times(clips, whole, samples)
        spoken = [(start - melody.LEAD, end - melody.LEAD) for start, end in whole.nominal]
        found = melody.compare(melody.contours(samples, times)[front:], melody.contours(whole.samples, spoken)[front:])
        errors += found[0]
        jumps += found[1]
        for which, sound in enumerate([samples, whole.samples] if recogniser else ()):
            padded = np.pad(sound / np.abs(sound).max() * 0.9, int(0.2 * RATE))
            segments, _ = recogniser.transcribe(
                resample_poly(padded, 2, 3).astype(np.float32),
                language=language[:2],
                beam_size=5,
                temperature=0,
                condition_on_previous_text=False,
                without_timestamps=True,
                initial_prompt=hearing.prompt,
            )
            heard = "".join(segment.text for segment in segments).strip()
            exact = hearing(heard, (minor, subject.say(minor))) == minor
            right[which] += exact
            if not exact:
                misses.append(f"    {'whole ' if which else ''}{said} heard as {heard}")
        print(f"\r{subject.folder.name}: {done} of {len(chosen)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for miss in misses if options.misses else ():
        print(miss)
    figures = [f"{right[0]} of {len(chosen)}" if recogniser else "–"]
    figures += [f"{right[1]} of {len(chosen)}" if recogniser else "–"]
    figures += [f"{np.mean(rates):.2f}", f"{np.mean(lengths):.2f}×"]
    figures += [f"{np.mean(levels):.1f} ({min(levels):.1f} to {max(levels):.1f})".replace("-", "−")]
    figures += [f"{np.mean(errors):.2f}", "{:.2f} ({:.2f})".format(*np.mean(jumps, axis=0))]
    return f"| `{subject.folder.name}` | {options.seed} | " + " | ".join(figures) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", type=pathlib.Path)
    parser.add_argument("--soundbox", default=".build/release/soundbox")
    parser.add_argument("--recogniser", metavar="DIR", help="Whisper base; without it nothing is read back")
    parser.add_argument("--model", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--voices", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--misses", action="store_true", help="print what was not read back")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."), help=argparse.SUPPRESS)
    options = parser.parse_args()
    recogniser = None
    if options.recogniser:
        recogniser = WhisperModel(options.recogniser, device="cpu", compute_type="int8", cpu_threads=options.threads)
    print(f"{time.strftime('%Y-%m-%d')}, {options.count} amounts a pack")
    print("| pack | seed | read back exactly | whole sentences | words a second | length | LUFS | pitch error | jump (whole) |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for folder in options.packs:
        print(measure(Subject(folder, options), recogniser, options), flush=True)


main()
