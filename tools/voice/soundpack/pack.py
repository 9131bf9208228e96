"""A voice pack on disk: pack.json and clips/."""

import json
import re
import shutil
import unicodedata

from . import mandarin
from .text import words

# A placeholder, or a fixed part between placeholders and marks.
PART = re.compile(r"\{(\w+)\}|[^{}，,]+")


def read(folder):
    return json.loads((folder / "pack.json").read_text(encoding="utf-8"))


def _block(name, values):
    lines = ",\n".join(f"    {json.dumps(key, ensure_ascii=False)}: {json.dumps(value)}" for key, value in values.items())
    return f'  "{name}": {{\n{lines}\n  }}'


def write_clips(folder, names, files, licences):
    """Replaces clips/, and in pack.json `clips`, its last key, and `licences`; other lines stay as written by hand."""
    path = folder / "pack.json"
    head, mark, _ = path.read_text(encoding="utf-8").partition('  "clips": {')
    if not mark:
        raise SystemExit(f'voice: {path}: has no "clips" as its last key')
    head = re.sub(r'  "licences": \{[^}]*\},\n', "", head)
    blocks = ([_block("licences", licences)] if licences else []) + [_block("clips", names)]
    fresh = folder / "clips.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    for name, data in files.items():
        (fresh / name).write_bytes(data)
    shutil.rmtree(folder / "clips", ignore_errors=True)
    fresh.rename(folder / "clips")
    path.write_text(head + ",\n".join(blocks) + "\n}\n", encoding="utf-8")


def _latin(text):
    """A text without accents; Devanagari by the names that Unicode gives its letters."""
    plain = ""
    for c in unicodedata.normalize("NFD", text.lower().replace("'", "")):
        name = unicodedata.name(c)
        if name.startswith("DEVANAGARI LETTER"):
            plain += name.split()[-1].lower()
        elif name.startswith("DEVANAGARI VOWEL SIGN"):
            plain = plain.removesuffix("a") + name.split()[-1].lower()
        elif name in ("DEVANAGARI SIGN ANUSVARA", "DEVANAGARI SIGN CANDRABINDU"):
            plain += "n"
        elif name == "DEVANAGARI SIGN VIRAMA":
            plain = plain.removesuffix("a")
        elif not unicodedata.combining(c):
            plain += c
    return plain


def file_name(key):
    """What a clip's file is called: the pinyin of what it says, or the words without accents."""
    said = words(key.strip("^$"))
    stem = "-".join(mandarin.pinyin("".join(said))) if "\u3400" <= said[0] <= "\u9fff" else _latin("-".join(said))
    return ("initial-" if key.startswith("^") else "") + stem + ("-final" if key.endswith("$") else "") + ".flac"


def file_names(keys):
    """-> the file of each key; of two that sound alike to a file system the second has a number."""
    names = {}
    for key in keys:
        name, number = file_name(key), 1
        while name in names.values():
            number += 1
            name = file_name(key).replace(".flac", f"-{number}.flac")
        names[key] = name
    return names


def phrase_carriers(phrases, examples, stop):
    """Each phrase as it will be heard, with its fixed parts in brackets: a clip for each part."""

    def example(part):
        if part[1]:
            return examples[part[1]]
        fixed = part[0].strip()
        return part[0].replace(fixed, f"[{fixed}]") if fixed else part[0]

    return [PART.sub(example, phrase) + stop for phrase in phrases.values()]
