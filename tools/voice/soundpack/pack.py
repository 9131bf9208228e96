"""A voice pack on disk: pack.json and clips/."""

import json
import re
import unicodedata

from . import mandarin
from .text import words

# A placeholder, or a fixed part between placeholders and marks.
PART = re.compile(r"\{(\w+)\}|[^{}，,]+")


def read(folder):
    return json.loads((folder / "pack.json").read_text(encoding="utf-8"))


def write_clips(folder, clips):
    """Replaces the `clips` of pack.json, its last key, and leaves every other line as it was written by hand."""
    path = folder / "pack.json"
    head, mark, _ = path.read_text(encoding="utf-8").partition('  "clips": {')
    if not mark:
        raise SystemExit(f'voice: {path}: has no "clips" as its last key')
    lines = ",\n".join(f"    {json.dumps(k, ensure_ascii=False)}: {json.dumps(v)}" for k, v in clips.items())
    path.write_text(f"{head}{mark}\n{lines}\n  }}\n}}\n", encoding="utf-8")


def file_name(key):
    """What a clip's file is called: the pinyin of what it says, or the words without accents."""
    said = words(key.strip("^$"))
    if "\u3400" <= said[0] <= "\u9fff":
        stem = "-".join(mandarin.pinyin("".join(said)))
    else:
        plain = unicodedata.normalize("NFD", "-".join(said).lower().replace("'", ""))
        stem = "".join(c for c in plain if not unicodedata.combining(c))
    return ("initial-" if key.startswith("^") else "") + stem + ("-final" if key.endswith("$") else "") + ".flac"


def phrase_carriers(phrases, examples, stop):
    """Each phrase as it will be heard, with its fixed parts in brackets: a clip for each part."""

    def example(part):
        if part[1]:
            return examples[part[1]]
        fixed = part[0].strip()
        return part[0].replace(fixed, f"[{fixed}]") if fixed else part[0]

    return [PART.sub(example, phrase) + stop for phrase in phrases.values()]
