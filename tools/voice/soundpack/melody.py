"""How far the melody of an assembled announcement is from that of the same sentence spoken whole."""

import numpy as np

from .cut import LEAD
from .kokoro import RATE
from .takes import semitones

STEP = 0.005  # of the pitch tracks, in seconds
HOP = 120  # samples between two spectra
POINTS = 10  # of a word's contour


def _spectra(samples):
    """Log spectra in 24 bands, one every HOP samples, without their mean level."""
    size = 4 * HOP
    padded = np.pad(samples, (size // 2, size))
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[: len(samples) : HOP] * np.hanning(size)
    power = np.abs(np.fft.rfft(frames, 1024)) ** 2
    edges = np.unique(np.geomspace(4, 400, 25).astype(int))
    bands = np.log(np.add.reduceat(power, edges, axis=1)[:, :-1] + 1e-6)
    return bands - bands.mean(axis=1, keepdims=True)


def warp(left, right, times):
    """Where in `right` the moments `times` (seconds) of `left` are, by dynamic time warping of their spectra."""
    a, b = _spectra(left), _spectra(right)
    cost = ((a[:, None] - b[None]) ** 2).sum(axis=2)
    total = np.full((len(a) + 1, len(b) + 1), np.inf)
    total[0, 0] = 0
    for i in range(len(a)):
        for j in range(len(b)):
            total[i + 1, j + 1] = cost[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
    i, j, path = len(a), len(b), {}
    while i and j:
        path[i - 1] = j - 1
        _, i, j = min((total[i - 1, j - 1], i - 1, j - 1), (total[i - 1, j], i - 1, j), (total[i, j - 1], i, j - 1))
    hop = HOP / RATE
    return [path.get(min(int(time / hop), len(a) - 1), 0) * hop for time in times]


def word_times(clips, sentence, samples):
    """When each word begins and ends in an announcement: `clips` has (start, end, first word, word behind the last)."""
    times = []
    for start, end, first, last in clips:
        bounds = [sentence.nominal[first][0], *(sentence.nominal[i][1] for i in range(first, last))]
        bounds = [max(0, bound - LEAD) for bound in bounds]
        inner = []
        if last - first > 1:
            whole = sentence.samples[int(bounds[0] * RATE) : int(bounds[-1] * RATE)]
            clip = samples[int(start * RATE) : int(end * RATE)]
            inner = [start + time for time in warp(whole, clip, [bound - bounds[0] for bound in bounds[1:-1]])]
        moments = [start, *inner, end]
        times += list(zip(moments, moments[1:]))
    return times


def contours(samples, times):
    """The pitch of each word at POINTS moments, in semitones; None of a word without any."""
    track = semitones(samples, STEP)
    found = []
    for start, end in times:
        part = track[int(start / STEP) : int(end / STEP)]
        part = part[~np.isnan(part)]
        if len(part) > 3:
            part = np.interp(np.linspace(0, 1, POINTS), np.linspace(0, 1, len(part)), part)
        found.append(part if len(part) == POINTS else None)
    return found


def compare(assembled, whole):
    """-> for each word the error of pitch, and for each two neighbours the jumps of both, in semitones."""
    errors = [np.sqrt(np.mean((a - b) ** 2)) for a, b in zip(assembled, whole) if a is not None and b is not None]
    jumps = []
    for i in range(1, len(whole)):
        if all(side[k] is not None for side in (assembled, whole) for k in (i - 1, i)):
            jumps.append([abs(side[i][0] - side[i - 1][-1]) for side in (assembled, whole)])
    return errors, jumps
