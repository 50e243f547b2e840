"""Writes charsmap.bin, a small table of replacements in SentencePiece's form:

    python charsmap.py ../charsmap.bin

SentencePiece itself compiles it from the rules below, so that the reader in Go is not tested against our own idea of the format.
"""

import io
import sys
import tempfile

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as proto

RULES = {
    "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "Ａ": "A", "Ｂ": "B", "ａ": "a", "１": "1", "２": "2", "　": " ", "\u00a0": " ", "\u200b": "",
    "…": "...", "㌔": "キロ", "①": "1", "ｶﾞ": "ガ", "ｶ": "カ", "e\u0301": "é", "a\u0308": "ä", "\t": " ", "\n": " ", "\r": " ", "½": "1⁄2",
    "™": "TM", "Ⅳ": "IV", "ſ": "s", "\u0001": "",
}


def main(out: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as rules:
        for source, target in RULES.items():
            codes = lambda s: " ".join(f"{ord(c):04X}" for c in s)
            rules.write(f"{codes(source)}\t{codes(target)}\n")
        rules.flush()
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["one two three four five six seven"] * 20), model_writer=model, vocab_size=30,
            hard_vocab_limit=False, normalization_rule_tsv=rules.name, minloglevel=2)
    m = proto.ModelProto()
    m.ParseFromString(model.getvalue())
    with open(out, "wb") as f:
        f.write(m.normalizer_spec.precompiled_charsmap)


if __name__ == "__main__":
    main(*sys.argv[1:])
