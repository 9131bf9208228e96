"""From cuts to finished recordings: level, edges, FLAC."""

import numpy as np
import pyloudnorm
import soundfile
from scipy.ndimage import maximum_filter1d
from scipy.signal import butter, resample_poly, sosfiltfilt

from .announce import Announcer
from .kokoro import RATE

TARGET_LUFS = -16.0
SPREAD_DB = 2.5  # no clip is further than this from the middle one; with the limiter and fades behind it, ±3 dB hold
CEILING = 10 ** (-1.0 / 20)  # true peak, of full scale
HIGH_PASS = butter(2, 70, "highpass", fs=RATE, output="sos")
ONSET, RELEASE = 10 ** (-36 / 20), 10 ** (-46 / 20)  # a clip sounds from and up to here, of its peak
LEAD_IN, LEAD_OUT = 0.020, 0.012  # seconds kept before and after
FADE_IN, FADE_OUT = 0.003, 0.008  # seconds


def loudness(samples):
    """Integrated loudness, LUFS (BS.1770); meaningful for a sentence, not for a word."""
    return pyloudnorm.Meter(RATE).integrated_loudness(samples)


def weighted_level(samples):
    """K-weighted RMS in dB: what loudness is made of, without the gate that a short clip cannot pass."""
    for stage in pyloudnorm.Meter(RATE)._filters.values():
        samples = stage.apply_filter(samples)
    return 10 * np.log10(np.mean(samples**2) + 1e-12)


def high_pass(samples):
    return sosfiltfilt(HIGH_PASS, samples)


def trim(samples):
    """Cuts silence away, but leaves a little in front: a stop consonant begins with it, a fricative begins softly."""
    level = np.abs(samples) / np.abs(samples).max()
    first, last = np.flatnonzero(level > ONSET)[0], np.flatnonzero(level > RELEASE)[-1]
    return samples[max(0, first - int(LEAD_IN * RATE)) : last + int(LEAD_OUT * RATE)]


def true_peak(samples):
    """The peak between the samples too: four times oversampled."""
    return np.abs(resample_poly(samples, 4, 1)).max()


def limit(samples):
    """Turns the gain down around peaks, so that no true peak passes the ceiling."""
    reach = int(0.004 * RATE)
    window = np.hanning(2 * reach + 1)
    window /= window.sum()
    aim = CEILING * 0.995
    while true_peak(samples) > CEILING:
        envelope = np.abs(resample_poly(samples, 4, 1)).reshape(-1, 4).max(axis=1)
        # The maximum filter holds each peak for as long as the window smooths: no peak is under-estimated.
        need = np.maximum(maximum_filter1d(envelope, 2 * reach + 1) / aim, 1)
        padded = np.pad(1 / need, reach, mode="edge")
        samples = samples * np.convolve(padded, window, "valid")
    return samples


def fade(samples):
    samples = samples.copy()
    rise, fall = int(FADE_IN * RATE), int(FADE_OUT * RATE)
    samples[:rise] *= np.linspace(0, 1, rise)
    samples[-fall:] *= np.linspace(1, 0, fall)
    return samples


def finish(cuts, gain):
    """All clips of a pack with one gain. -> clips by key, how many were held, how many limited"""
    clips = {key: trim(high_pass(samples)) * gain for key, samples in cuts.items()}
    levels = {key: weighted_level(samples) for key, samples in clips.items()}
    middle = np.median(list(levels.values()))
    held = limited = 0
    for key, samples in clips.items():
        excess = levels[key] - middle
        correction = np.clip(excess, -SPREAD_DB, SPREAD_DB) - excess
        samples = fade(samples * 10 ** (correction / 20))
        held += bool(correction)
        limited += true_peak(samples) > CEILING
        clips[key] = limit(samples)
    return clips, held, limited


def master(cuts, pack, references):
    """Finishes all clips with the one gain that brings whole announcements to the target. -> clips, a report"""
    gain = 1.0
    for _ in range(4):
        clips, held, limited = finish(cuts, gain)
        announcer = Announcer(pack, clips)
        measured = loudness(np.concatenate([announcer.say(text)[0] for text in references]))
        if abs(measured - TARGET_LUFS) < 0.05:
            break
        gain *= 10 ** ((TARGET_LUFS - measured) / 20)
    return clips, (
        f"gain {20 * np.log10(gain):+.1f} dB, {measured:.1f} LUFS, {held} clips held to ±{SPREAD_DB} dB, "
        f"{limited} limited"
    )


def write(path, samples):
    """Writes mono FLAC of 16 bits at the highest compression, with no padding and no seek table."""
    data = np.round(samples * 32767).astype(np.int16)
    soundfile.write(path, data, RATE, subtype="PCM_16", format="FLAC", compression_level=1.0)
