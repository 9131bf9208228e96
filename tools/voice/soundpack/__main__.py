"""Builds one voice pack: says every carrier sentence, cuts the clips, masters them, fills `clips` in pack.json."""

import argparse
import pathlib
import shutil
import sys

from . import master, pack
from .cut import Sentence, parse_carrier
from .inventory import PACKS, inventory
from .kokoro import MODEL, Kokoro


def main():
    parser = argparse.ArgumentParser(prog="tools/voice/build", description=__doc__)
    parser.add_argument("--pack", required=True, choices=PACKS)
    parser.add_argument("--model", required=True, type=pathlib.Path, metavar="DIR", help=f"folder with {MODEL}")
    parser.add_argument("--voices", required=True, type=pathlib.Path, metavar="DIR", help="folder with the voices' .bin")
    parser.add_argument("--threads", type=int, default=2, help="2; the recordings are the same with any number")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."), help=argparse.SUPPRESS)
    options = parser.parse_args()

    folder = options.root / "Resources/Clips" / options.pack
    described = pack.read(folder)
    made_of = inventory(options.pack, folder, described)
    cache = options.root / "build/voice/sentences"
    voice = Kokoro(options.model, options.voices, made_of.blend, made_of.speed, cache, options.threads)
    phrases = pack.phrase_carriers(described["phrases"], made_of.examples, made_of.stop)

    cuts = {}
    marked = [*phrases, *made_of.carriers]
    for number, text in enumerate(marked, 1):
        wanted = [carrier for carrier in parse_carrier(text) if carrier.key not in {*cuts, *made_of.never_alone}]
        if wanted:
            sentence = Sentence(voice, made_of.speak, wanted[0].text)
            cuts.update({carrier.key: sentence.cut(carrier.first, carrier.end) for carrier in wanted})
        print(f"\rvoice: {options.pack}: {number} of {len(marked)} sentences", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)

    clips, report = master.master(cuts, described, made_of.reference)

    shutil.rmtree(folder / "clips", ignore_errors=True)
    (folder / "clips").mkdir()
    names = {key: pack.file_name(key) for key in clips}
    if len(set(names.values())) != len(names):
        raise SystemExit("voice: two clips want the same file name")
    for key, samples in clips.items():
        master.write(folder / "clips" / names[key], samples)
    pack.write_clips(folder, names)

    seconds = sum(map(len, clips.values())) / master.RATE
    size = sum(file.stat().st_size for file in (folder / "clips").iterdir())
    print(f"voice: {options.pack}: {len(clips)} clips, {seconds:.1f} s, {size / 1e6:.2f} MB; {report}")


main()
