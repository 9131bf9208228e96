"""Of several takes of the same words the one to keep."""

import numpy as np
import parselmouth

from .kokoro import RATE
from .master import weighted_level

# What is one step of difference between two takes, that a listener would notice.
SEMITONES, LENGTH, LEVEL = 1.0, 0.10, 2.0


def semitones(samples, step=0.005):
    """The pitch of a sound in semitones, NaN where it has none."""
    pitch = parselmouth.Sound(samples, RATE).to_pitch_ac(time_step=step, pitch_floor=60, pitch_ceiling=500)
    frequency = pitch.selected_array["frequency"]
    return np.where(frequency > 0, 12 * np.log2(np.maximum(frequency, 1) / 100), np.nan)


def _features(samples):
    """Pitch at the start, in the middle and at the end, length and level, in steps that a listener would notice."""
    padded = np.pad(samples, int(0.03 * RATE))
    pitch = semitones(padded)
    pitch = pitch[~np.isnan(pitch)]
    if not len(pitch):
        pitch = np.zeros(3)
    thirds = [np.median(part) if len(part) else np.median(pitch) for part in np.array_split(pitch, 3)]
    return np.array([*np.array(thirds) / SEMITONES, np.log(len(samples)) / LENGTH, weighted_level(samples) / LEVEL])


def middle(takes):
    """The take that is nearest to all others: no sentence's own melody, and no bad cut."""
    if len(takes) < 3:
        return takes[0]
    features = np.array([_features(take) for take in takes])
    distance = np.abs(features[:, None] - features[None]).sum(axis=(1, 2))
    return takes[int(distance.argmin())]
