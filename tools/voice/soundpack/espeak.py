"""Words to phonemes by espeak-ng, in the form that the model was trained on.

Each word is asked for alone, so that the phonemes of each are known; what espeak-ng gets wrong, or says otherwise in a
sentence than alone, stands in the language's own table.
"""

import functools
import re
import subprocess

from .text import is_word, pieces

TIED = {"d^ʒ": "ʤ", "t^ʃ": "ʧ", "t^s": "ʦ", "d^z": "ʣ"}
FLAGS = re.compile(r"\([a-z-]+\)|[_^-]")


class Espeak:
    """The words of one language: `table` says what to write for what espeak-ng writes, `lexicon` has words whole
    (`word phonemes  word phonemes`), the words in `weak` have no stress, `bound` gives the phonemes of a word by itself
    and the one behind it, and words with a hyphen between them are said as one where `joined`."""

    def __init__(self, voice, table=(), lexicon="", weak="", bound=None, joined=False):
        self.voice = voice
        self.table = dict(table) | TIED
        items = lexicon.split()
        self.lexicon = dict(zip(items[::2], items[1::2], strict=True))
        self.weak = set(weak.split())
        self.bound = bound
        self.joined = joined

    @functools.cache
    def word(self, word):
        known = self.lexicon.get(word) or self.lexicon.get(word.lower())
        if known:
            return known
        command = ["espeak-ng", "-v", self.voice, "--ipa=1", "-q", "--tie=^", word]
        sound = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        for written, meant in self.table.items():
            sound = sound.replace(written, meant)
        sound = FLAGS.sub("", sound).replace(" ", "")
        return re.sub("[ˈˌ]", "", sound) if word.lower() in self.weak else sound

    def speak(self, text):
        """-> the phonemes of a text, and for each of its words the phonemes' (first, end)."""
        parts = pieces(text, hyphens=self.joined)
        phonemes, spans = "", []
        for i, part in enumerate(parts):
            if part == "-":
                # One word has one stress, its last.
                first = spans[-1][0]
                phonemes = phonemes[:first] + phonemes[first:].replace("ˈ", "ˌ")
            elif not is_word(part):
                phonemes += part
            else:
                phonemes += " " if phonemes and parts[i - 1] != "-" else ""
                following = parts[i + 1] if i + 1 < len(parts) else ""
                said = self.bound and self.bound(part, following) or self.word(part)
                spans.append((len(phonemes), len(phonemes) + len(said)))
                phonemes += said
        return phonemes, spans
