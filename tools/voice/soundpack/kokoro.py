"""The synthesiser: Kokoro 82M as an ONNX model, with the length that it gives to each phoneme."""

import hashlib
import os
import pathlib

import numpy as np
import onnx
import onnxruntime

RATE = 24000
MODEL = "kokoro-v1.0.int8.onnx"
# The model computes how many frames each phoneme lasts but does not return it; we ask for that tensor too.
DURATIONS = "/encoder/Clip_output_0"
STYLES = (510, 256)  # a voice: one style vector for each count of phonemes

SHA256 = {
    MODEL: "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
    "af_bella.bin": "f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b",
    "af_heart.bin": "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    "am_michael.bin": "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
    "bm_george.bin": "c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc",
    "ef_dora.bin": "f66ec66bd295acb18372e37008533a9a3228483ccd294e7538d5d9294ac9a532",
    "ff_siwis.bin": "a35f5675ad08948e326ae75fd0ea16ba5d0042e4f76b5f3d1df77d0a48c54861",
    "hf_alpha.bin": "040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56",
    "hm_omega.bin": "b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137",
    "if_sara.bin": "409b69248798fcdc2542330c76953d230710f19b057e59cb82fdc3c4cf71265c",
    "pf_dora.bin": "3da7b5b2d91847ebf5646f57631af6ececae3c29a89cd300f06edf9aa6cfe9ee",
    "zf_xiaoxiao.bin": "03adb5d5e3ddd88b047954e974e651cb0a4b524c985057e5d872e962c7be1169",
    "zf_xiaoyi.bin": "bc1555c5c486099196ac254bae5e0bb543c121952a3092f50b7d8724f1bc36b3",
    "zm_yunxi.bin": "7243892fb4e560d47014090ddf010f8b8b790f3c6b029ff82b2ac06aa4e27c8b",
    "zm_yunyang.bin": "261e2c89470534dbbcb8fd98b8fdc495ec94063d9bb6c8277f7be43cccba3f42",
}

# The model's token of each phoneme that our languages use.
TOKENS = {
    ",": 3, ".": 4, " ": 16, "\u0303": 17, "ʣ": 18, "ʦ": 20, "ʨ": 21, "ꭧ": 23, "A": 24, "I": 25, "O": 31, "Q": 33,
    "T": 36, "W": 39, "Y": 41, "ᵊ": 42, "a": 43, "b": 44, "c": 45, "d": 46, "e": 47, "f": 48, "h": 50, "i": 51,
    "j": 52, "k": 53, "l": 54, "m": 55, "n": 56, "o": 57, "p": 58, "q": 59, "r": 60, "s": 61, "t": 62, "u": 63,
    "v": 64, "w": 65, "x": 66, "y": 67, "z": 68, "ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72, "β": 75, "ɔ": 76, "ɕ": 77,
    "ç": 78, "ɖ": 80, "ð": 81, "ʤ": 82, "ə": 83, "ɚ": 85, "ɛ": 86, "ɜ": 87, "ɟ": 90, "ɡ": 92, "ɥ": 99, "ɨ": 101,
    "ɪ": 102, "ʝ": 103, "ŋ": 112, "ɳ": 113, "ɲ": 114, "ø": 116, "θ": 119, "œ": 120, "ɹ": 123, "ɾ": 125, "ɻ": 126,
    "ʁ": 128, "ɽ": 129, "ʂ": 130, "ʃ": 131, "ʈ": 132, "ʧ": 133, "ʊ": 135, "ʋ": 136, "ʌ": 138, "ɣ": 139, "ɤ": 140,
    "ʎ": 143, "ʒ": 147, "ʔ": 148, "ˈ": 156, "ˌ": 157, "ː": 158, "ʰ": 162, "ʲ": 164, "↓": 169, "→": 171, "↗": 172,
    "↘": 173, "ᵻ": 177,
}  # fmt: skip


def read_checked(path):
    """The bytes of a model or voice file; refuses any that is not the one we know."""
    data = pathlib.Path(path).read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256[path.name]:
        raise SystemExit(f"voice: {path}: not the file that this pack is made with (SHA-256 differs)")
    return data


class Kokoro:
    """One voice (a blend of voice files) at one speed. What it has said once it keeps in `cache`."""

    def __init__(self, model, voices, blend, speed, cache, threads):
        self.model = model
        self.threads = threads
        self.session = None
        self.speed = speed
        self.cache = cache
        self.styles = sum(
            np.frombuffer(read_checked(voices / f"{name}.bin"), np.float32).reshape(STYLES) * np.float32(weight)
            for name, weight in blend.items()
        )
        self.identity = f"{SHA256[MODEL]} {sorted(blend.items())} {speed}"

    def say(self, phonemes):
        """-> samples (float64), and the sample at which each phoneme begins, with the end behind the last."""
        name = hashlib.sha256(f"{self.identity} {phonemes}".encode()).hexdigest()[:32]
        path = self.cache / f"{name}.npz"
        if not path.exists():
            self.cache.mkdir(parents=True, exist_ok=True)
            samples, frames = self._run(phonemes)
            fresh = path.with_suffix(f".{os.getpid()}.npz")
            np.savez(fresh, samples=samples, frames=frames)
            fresh.rename(path)
        with np.load(path) as kept:
            samples, frames = kept["samples"].astype(np.float64), kept["frames"]
        bounds = np.concatenate([[0], np.cumsum(frames)]) * (len(samples) / frames.sum())
        return samples, bounds[1:-1].astype(int)  # without the padding tokens at both ends

    def _run(self, phonemes):
        if self.session is None:
            graph = onnx.load_from_string(read_checked(self.model / MODEL))
            graph.graph.output.append(onnx.helper.make_empty_tensor_value_info(DURATIONS))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self.threads
            # A thread that spins takes the processor from the one it waits for, wherever other work runs beside it.
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            self.session = onnxruntime.InferenceSession(
                graph.SerializeToString(), options, providers=["CPUExecutionProvider"]
            )
        tokens = [TOKENS[phoneme] for phoneme in phonemes]
        samples, frames = self.session.run(
            None,
            {
                "tokens": np.array([[0, *tokens, 0]], np.int64),
                "style": self.styles[len(tokens) - 1].reshape(1, -1),
                "speed": np.array([self.speed], np.float32),
            },
        )
        return np.asarray(samples, np.float32).ravel(), np.asarray(frames).ravel()
