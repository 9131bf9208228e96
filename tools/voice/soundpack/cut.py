"""Cuts words out of a spoken sentence.

The model's own durations say where each word begins, but a frame is 25 ms long and the sound begins before its frame.
So each boundary is moved to where the signal shows the join: the start of a voiceless stretch, or the quietest place.
"""

import re
from dataclasses import dataclass

import numpy as np
import parselmouth

from .kokoro import RATE
from .text import words

LEAD = 0.057  # how far the sound of a phoneme runs ahead of its frames, in seconds (measured)
REACH = 0.035  # how far from there the join may be, in seconds
HOP = 0.0025  # step of the pitch and level tracks, in seconds
PAUSE = 0.05  # silence this long, in seconds, separates two words for good
VOICELESS = set("ptkfsʂɕxʦʨꭧʃʧθh")
NOTATION = re.compile(r"[\[\]^$]")


@dataclass
class Carrier:
    """A sentence and the words in it that a clip keeps: `七千[五百]八十六点八元。`"""

    text: str
    key: str
    first: int
    end: int


def parse_carrier(marked):
    """Reads a sentence with its kept words in brackets: one carrier for each pair of brackets."""
    carriers = []
    for match in re.finditer(r"\[(.*?)\]", marked):
        first = len(words(marked[: match.start()]))
        carriers.append(Carrier(NOTATION.sub("", marked), match[1], first, first + len(words(match[1]))))
    return carriers


class Tracks:
    """Pitch and level of a sentence, and where it is silent."""

    def __init__(self, samples):
        self.samples = samples
        sound = parselmouth.Sound(samples, RATE)
        pitch = sound.to_pitch_ac(time_step=HOP, pitch_floor=70, pitch_ceiling=500)
        self.pitch_at, self.voiced = pitch.xs(), pitch.selected_array["frequency"] > 0
        level = sound.to_intensity(minimum_pitch=150, time_step=HOP)
        self.level_at, self.level = level.xs(), level.values[0]
        step = int(0.005 * RATE)
        blocks = samples[: len(samples) // step * step].reshape(-1, step)
        self.silent = np.abs(blocks).max(axis=1) < 0.015 * np.abs(samples).max()
        self.silent_step = step / RATE

    def silence(self, low, high):
        """The last stretch of at least PAUSE of silence between two times, as (start, end) in seconds, or None."""
        first, last = max(0, int(low / self.silent_step)), int(high / self.silent_step)
        found, start = None, None
        for i in range(first, min(last, len(self.silent)) + 1):
            quiet = i < min(last, len(self.silent)) and self.silent[i]
            if quiet and start is None:
                start = i
            elif not quiet and start is not None:
                if (i - start) * self.silent_step >= PAUSE:
                    found = (start * self.silent_step, i * self.silent_step)
                start = None
        return found

    def quietest(self, low, high):
        """The time of the lowest level between two times."""
        near = (self.level_at > low) & (self.level_at < high)
        return self.level_at[near][self.level[near].argmin()] if near.any() else (low + high) / 2

    def voiceless(self, nominal, earliest):
        """Where the voiceless stretch nearest to a boundary begins; None where the sound is voiced throughout."""
        near = (self.pitch_at > max(earliest, nominal - 0.2)) & (self.pitch_at < nominal + 0.06)
        times, voiced = self.pitch_at[near], self.voiced[near]
        edges = np.flatnonzero(np.diff(np.concatenate([[True], voiced, [True]]).astype(int)))
        best = None
        for start, stop in zip(edges[::2], edges[1::2]):
            low, high = times[start], times[stop - 1]
            distance = abs((low + high) / 2 - (nominal - LEAD))
            # One that began before the window is most likely the consonant of the word before: the last choice.
            rank = (start == 0, distance)
            if high - low > 0.008 and distance < 0.08 and (best is None or rank < best[0]):
                best = (rank, low, high)
        # At its start the last vowel still dies away; further on, a weak fricative must not be cut into.
        return best and self.quietest(best[1], min(best[1] + 0.03, best[2]))


class Sentence:
    """A spoken sentence with the times of its words."""

    def __init__(self, synthesiser, speak, text):
        phonemes, spans = speak(text)
        self.samples, starts = synthesiser.say(phonemes)
        self.initials = [phonemes[first:].lstrip("ˈˌ")[0] for first, _ in spans]
        self.finals = [phonemes[:end].rstrip("ʰː")[-1] for _, end in spans]
        self.nominal = [(starts[first] / RATE, starts[end] / RATE) for first, end in spans]
        self.tracks = Tracks(self.samples)

    def _pause_before(self, i):
        """The silence in front of word i, as (start, end) in seconds, or None."""
        start = self.nominal[i][0]
        if i == 0:
            return self.tracks.silence(0, start + 0.05) or (0, max(0, start - LEAD))
        if start - self.nominal[i - 1][1] < 0.08:
            return None
        return self.tracks.silence(sum(self.nominal[i - 1]) / 2, start + 0.05)

    def onset(self, i):
        """Where word i begins, in seconds."""
        pause = self._pause_before(i)
        if pause:
            return pause[1] - 0.008
        start = self.nominal[i][0]
        # Of an s and the t behind it the voiceless stretch begins with the s, which is not ours: there the closure parts them.
        if self.initials[i] in VOICELESS and self.finals[i - 1] not in VOICELESS:
            middle = sum(self.nominal[i - 1]) / 2 - LEAD
            voiceless = self.tracks.voiceless(start, middle)
            if voiceless:
                return voiceless
        return self.tracks.quietest(start - LEAD - REACH, start - LEAD + REACH)

    def release(self, i):
        """Where word i ends, in seconds."""
        if i + 1 < len(self.nominal):
            pause = self._pause_before(i + 1)
            return pause[0] + 0.01 if pause else self.onset(i + 1)
        begin = int(self.onset(i) * RATE)
        rest = self.samples[begin:]
        power = np.sqrt(np.convolve(rest**2, np.ones(240) / 240, "same"))
        loud = np.flatnonzero(power > 0.006 * np.abs(self.samples).max())
        return (begin + loud[-1]) / RATE + 0.01

    def cut(self, first, end):
        """The samples of the words `first ..< end`."""
        return self.samples[max(0, int(self.onset(first) * RATE)) : int(self.release(end - 1) * RATE)]
