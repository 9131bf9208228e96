"""Puts announcements together from a finished pack, as the box does: clips and the pack's own pauses."""

import numpy as np
import soundfile

from . import pack
from .text import Cover


class Announcer:
    def __init__(self, folder):
        self.folder = folder
        self.pack = pack.read(folder)
        self.rate = self.pack["rate"]
        self.cover = Cover(self.pack["clips"])
        self.clips = {}

    def _clip(self, key):
        if key not in self.clips:
            self.clips[key], _ = soundfile.read(self.folder / "clips" / self.pack["clips"][key])
        return self.clips[key]

    def _silence(self, name):
        return np.zeros(self.pack["pauses"][name] * self.rate // 1000)

    def say(self, text):
        """-> (samples, plan); raises ValueError where a word has no clip."""
        plan = self.cover.plan(text)
        if plan is None:
            raise ValueError(text)
        parts, after_clip = [], False
        for step in plan:
            if step in self.pack["clips"]:
                if after_clip:
                    parts.append(self._silence("clip"))
                parts.append(self._clip(step))
            else:
                parts.append(self._silence(step))
            after_clip = step in self.pack["clips"]
        return np.concatenate([*parts, self._silence("end")]), plan
