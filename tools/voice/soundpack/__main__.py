"""Builds one voice pack: says every carrier sentence, cuts the clips, masters them, fills `clips` in pack.json."""

import argparse
import pathlib
import sys
import time

from . import master, pack, takes
from .cut import Sentence, parse_carrier
from .inventory import PACKS, inventory
from .kokoro import MODEL, Kokoro
from .override import Override

SIZE = 3_965_000  # bytes of a pack's clips; pack check holds the whole pack to 4,000,000
BITS = range(16, 10, -1)  # of a sample: as many as fit. At 11, the noise is 55 dB below the voice


def progress(name, done, all, began):
    """A bar on the terminal; a line at every tenth where there is none."""
    left = (time.monotonic() - began) / max(done, 1) * (all - done)
    bar = "#" * (30 * done // all)
    text = f"voice: {name}: [{bar:30}] {done} of {all} sentences, {left / 60:.0f} min left"
    if sys.stderr.isatty():
        print(f"\r{text}", end="" if done < all else "\n", file=sys.stderr, flush=True)
    elif done == all or done % max(1, all // 10) == 0:
        print(text, file=sys.stderr, flush=True)


def cut_all(name, described, made_of, voice, override):
    """-> the sound of each clip: the phrases as they are spoken first, of a number's takes the middle one."""
    phrases = pack.phrase_carriers(described["phrases"], made_of.examples, made_of.stop)
    sounds, found = {}, {}
    began = time.monotonic()
    marked = [*phrases, *made_of.carriers]
    for number, text in enumerate(marked):
        wanted = [carrier for carrier in parse_carrier(text) if carrier.key not in made_of.never_alone]
        if number < len(phrases):
            wanted = [carrier for carrier in wanted if carrier.key not in sounds]
        recorded = {carrier.key: override.find(pack.file_name(carrier.key)) for carrier in wanted}
        sounds.update({key: sound for key, sound in recorded.items() if sound is not None})
        wanted = [carrier for carrier in wanted if carrier.key not in sounds]
        if wanted:
            sentence = Sentence(voice, made_of.speak, wanted[0].text)
            for carrier in wanted:
                take = sentence.cut(carrier.first, carrier.end)
                if number < len(phrases):
                    sounds[carrier.key] = take
                else:
                    found.setdefault(carrier.key, []).append(take)
        progress(name, number + 1, len(marked), began)
    return sounds | {key: takes.middle(several) for key, several in found.items()}


def main():
    parser = argparse.ArgumentParser(prog="tools/voice/build", description=__doc__)
    parser.add_argument("--pack", required=True, choices=PACKS)
    parser.add_argument("--model", required=True, type=pathlib.Path, metavar="DIR", help=f"folder with {MODEL}")
    parser.add_argument("--voices", required=True, type=pathlib.Path, metavar="DIR", help="folder with the voices' .bin")
    parser.add_argument(
        "--override", type=pathlib.Path, metavar="DIR", help="recordings from a studio: DIR/PACK (default override)"
    )
    parser.add_argument("--threads", type=int, default=2, help="2; the recordings are the same with any number")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."), help=argparse.SUPPRESS)
    options = parser.parse_args()

    folder = options.root / "Resources/Clips" / options.pack
    described = pack.read(folder)
    made_of = inventory(options.pack, folder, described)
    override = Override((options.override or options.root / "override") / options.pack)
    cache = options.root / "build/voice/sentences"
    voice = Kokoro(options.model, options.voices, made_of.blend, made_of.speed, cache, options.threads)

    sounds = cut_all(options.pack, described, made_of, voice, override)
    override.check_all_used()
    clips, report = master.master(sounds, described, made_of.money)
    names = pack.file_names(clips)
    for bits in BITS:
        files = {names[key]: master.encode(samples, bits) for key, samples in clips.items()}
        size = sum(map(len, files.values()))
        if size <= SIZE:
            break
    pack.write_clips(folder, names, files, override.licences)

    seconds = sum(map(len, clips.values())) / master.RATE
    print(f"voice: {options.pack}: {len(clips)} clips, {seconds:.1f} s, {size / 1e6:.2f} MB, {bits} bits; {report}")


main()
