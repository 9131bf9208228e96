"""Words, marks and the fewest clips, as docs/voice-pack.md defines them."""

import re

# The signs of Devanagari are part of its letters, though Python's \w does not know it.
PIECE = re.compile(r"[\u3400-\u9fff]|(?:(?![\u3400-\u9fff])[^\W_]|['\u0300-\u036f\u0900-\u0963])+|[^\w\s\-\u00ad]|_")


def pieces(text, hyphens=False):
    """The words and marks of a text, in order; with the hyphens between words where they are asked for."""
    return [piece for piece in re.findall(f"{PIECE.pattern}|-", text) if hyphens or piece != "-"]


def is_word(piece):
    return piece[0].isalnum() or piece[0] == "'"


def words(text):
    """The words of a text alone."""
    return [piece for piece in pieces(text) if is_word(piece)]


def spell(text, sound):
    """-> the phonemes of a text, and for each of its words the phonemes' (first, end); `sound` gives a word's."""
    phonemes, spans = "", []
    for piece in pieces(text):
        if not is_word(piece):
            phonemes += piece
            continue
        phonemes += " " if phonemes else ""
        said = sound(piece)
        spans.append((len(phonemes), len(phonemes) + len(said)))
        phonemes += said
    return phonemes, spans


def parse_key(key):
    """A clip's key -> (words, anchored to the start, anchored to the end)."""
    start, end = key.startswith("^"), key.endswith("$")
    return tuple(words(key.strip("^$"))), start, end


class Cover:
    """Covers texts with the fewest clips; of two covers with as many clips the longer first clip wins."""

    def __init__(self, keys):
        self.clips = {}
        for key in keys:
            said, start, end = parse_key(key)
            self.clips.setdefault(said, {})[start, end] = key
        self.longest = max(map(len, self.clips), default=0)

    def _fit(self, said, start, end):
        """The key that says exactly these words here, the most anchored one first; None where there is none."""
        variants = self.clips.get(said, {})
        for anchors in ((True, True), (True, False), (False, True), (False, False)):
            if anchors in variants and anchors[0] <= start and anchors[1] <= end:
                return variants[anchors]
        return None

    def fewest(self, run, start, end):
        """The keys that cover a run of words between two marks; None where a word has no clip."""
        count = len(run)
        best = [None] * count + [(0, [])]
        for i in reversed(range(count)):
            for length in range(min(self.longest, count - i), 0, -1):
                rest = best[i + length]
                key = rest and self._fit(tuple(run[i : i + length]), start and i == 0, end and i + length == count)
                if key and (best[i] is None or rest[0] + 1 < best[i][0]):
                    best[i] = (rest[0] + 1, [key, *rest[1]])
        return best[0] and best[0][1]

    def plan(self, text):
        """The keys and marks that say a text; None where a word has no clip."""
        parts = pieces(text)
        spoken = [i for i, part in enumerate(parts) if is_word(part)]
        plan, run = [], []
        for i, part in enumerate([*parts, None]):
            if part is not None and is_word(part):
                run.append(part)
                continue
            if run:
                keys = self.fewest(run, i - len(run) == spoken[0], i - 1 == spoken[-1])
                if keys is None:
                    return None
                plan += keys
                run = []
            if part is not None:
                plan.append(part)
        return plan
