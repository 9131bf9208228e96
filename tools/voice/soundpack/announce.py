"""Puts announcements together from a pack, as the box does: clips and the pack's own pauses."""

import numpy as np
import soundfile

from .text import Cover


def load_clips(folder, pack):
    return {key: soundfile.read(folder / "clips" / name)[0] for key, name in pack["clips"].items()}


class Announcer:
    """Says texts with the clips of a pack: samples by key."""

    def __init__(self, pack, clips):
        self.pack = pack
        self.clips = clips
        self.cover = Cover(clips)

    def _silence(self, name):
        return np.zeros(self.pack["pauses"][name] * self.pack["rate"] // 1000)

    def say(self, text):
        """-> (samples, plan); raises ValueError where a word has no clip."""
        plan = self.cover.plan(text)
        if plan is None:
            raise ValueError(text)
        parts, after_clip = [], False
        for step in plan:
            is_clip = step in self.clips
            if is_clip and after_clip:
                parts.append(self._silence("clip"))
            parts.append(self.clips[step] if is_clip else self._silence(step))
            after_clip = is_clip
        return np.concatenate([*parts, self._silence("end")]), plan
