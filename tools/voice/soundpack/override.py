"""Recordings from a studio that stand in for generated clips."""

import re

import numpy as np
import soundfile
from scipy.signal import resample_poly

from .kokoro import RATE

LICENCE = re.compile(r"[\w.+ ()-]+")


class Override:
    """A folder with `NAME.wav` or `NAME.flac` for any `NAME.flac` of a pack, and `LICENCE`, the SPDX expression of all."""

    def __init__(self, folder):
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        self.files = {f"{file.stem}.flac": file for file in files if file.suffix in (".wav", ".flac")}
        self.licences = {}
        if self.files:
            licence = folder / "LICENCE"
            text = licence.read_text(encoding="utf-8").strip() if licence.exists() else ""
            if not LICENCE.fullmatch(text):
                raise SystemExit(f"voice: {licence}: has to say the licence of these recordings, as an SPDX expression")
            self.licence = text

    def find(self, name):
        """The sound of a clip's file, mono at the pack's rate; None where there is no recording of it."""
        file = self.files.get(name)
        if file is None:
            return None
        samples, rate = soundfile.read(file, always_2d=True)
        self.licences[name] = self.licence
        common = np.gcd(rate, RATE)
        return resample_poly(samples.mean(axis=1), RATE // common, rate // common)

    def check_all_used(self):
        unknown = sorted(set(self.files) - set(self.licences))
        if unknown:
            raise SystemExit(f"voice: {self.files[unknown[0]]}: this pack has no clip of that name")
