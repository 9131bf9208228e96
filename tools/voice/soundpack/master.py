"""From cuts to finished recordings: level, edges, FLAC."""

import io
import re

import numpy as np
import pyloudnorm
import soundfile
from scipy.ndimage import maximum_filter1d
from scipy.signal import butter, resample_poly, sosfiltfilt

from .announce import Announcer
from .kokoro import RATE

TARGET_LUFS = -16.0
SPREAD_DB = 1.5  # no clip is further than this from the middle one, but for the gain of its phrase
PHRASE_DB, PHRASE_STEP = 3.0, 1.5  # the most that a phrase is turned up or down, and of what it is off in each round
CLOSE_LU = 0.15  # near enough to the target
# The amounts of the announcements that are measured, in minor units: those of `soundbox pack check`.
AMOUNTS = (5, 100, 888, 1250, 6600, 10065, 32005, 99999, 123450, 1000000, 2560080, 100000001)
CEILING = 10 ** (-1.1 / 20)  # true peak, of full scale; other meters than this one may see 0.1 dB more
HIGH_PASS = butter(2, 70, "highpass", fs=RATE, output="sos")
ONSET, RELEASE = 10 ** (-36 / 20), 10 ** (-46 / 20)  # a clip sounds from and up to here, of its peak
LEAD_IN, LEAD_OUT = 0.012, 0.010  # seconds kept before and after
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
    window = np.ones(len(samples))
    rise, fall = int(FADE_IN * RATE), int(FADE_OUT * RATE)
    window[:rise] *= np.linspace(0, 1, rise)
    window[-fall:] *= np.linspace(1, 0, fall)
    samples = samples * window
    return samples - window * (samples.sum() / window.sum())  # what a short piece of a wave has as its mean


def finish(sounds, gain, phrase_gains):
    """All clips with one gain, and one more for each phrase's words. -> clips, how many were held, how many limited"""
    clips = {key: trim(high_pass(samples)) for key, samples in sounds.items()}
    levels = {key: weighted_level(samples) for key, samples in clips.items()}
    middle = np.median(list(levels.values()))
    held = limited = 0
    for key, samples in clips.items():
        excess = levels[key] - middle
        correction = np.clip(excess, -SPREAD_DB, SPREAD_DB) - excess
        held += bool(correction)
        samples = fade(samples * 10 ** ((gain + correction + phrase_gains.get(key, 0)) / 20))
        limited += true_peak(samples) > CEILING
        clips[key] = limit(samples)
    return clips, held, limited


def master(sounds, pack, money):
    """Finishes all clips so that the announcements of each phrase come out at the target. -> clips, a report"""
    phrases = {key: phrase for key, phrase in pack["phrases"].items() if re.findall(r"\{\w+\}", phrase) == ["{amount}"]}
    amounts = [say(minor) for say in money.values() for minor in AMOUNTS]
    gain, phrase_gains = 0.0, {}
    for _ in range(6):
        clips, held, limited = finish(sounds, gain, phrase_gains)
        announcer = Announcer(pack, clips)
        off = {}
        for key, phrase in phrases.items():
            levels = [loudness(announcer.say(phrase.replace("{amount}", amount))[0]) for amount in amounts]
            off[key] = np.mean(levels) - TARGET_LUFS
        middle = np.mean(list(off.values()))
        if max(map(abs, off.values())) < CLOSE_LU:
            break
        gain -= middle
        for key, phrase in phrases.items():
            words = announcer.cover.plan(phrase.split("{")[0].rstrip(" ,，"))
            for word in words:
                wanted = phrase_gains.get(word, 0) - PHRASE_STEP * (off[key] - middle)
                phrase_gains[word] = float(np.clip(wanted, -PHRASE_DB, PHRASE_DB))
    return clips, (
        f"gain {gain:+.1f} dB, phrases {min(off.values()):+.2f} to {max(off.values()):+.2f} LU from {TARGET_LUFS} LUFS, "
        f"{held} clips held to ±{SPREAD_DB} dB, {limited} limited"
    )


def encode(samples, bits):
    """Mono FLAC of 16 bits, of which the lowest are zero from `bits` on, at the highest compression."""
    step = 1 << 16 - bits
    data = np.clip(np.round(samples * 32767 / step) * step, -32768 + step, 32768 - step).astype(np.int16)
    file = io.BytesIO()
    soundfile.write(file, data, RATE, subtype="PCM_16", format="FLAC", compression_level=1.0)
    return file.getvalue()
