"""Makes small Model2Vec models, and their ids and vectors by the Python package:

    python make.py OUT            the fixtures in ..
    python make.py OUT SEED       new ones, with random vectors and texts

OUT/texts.json holds the texts; OUT/NAME/ the model; OUT/NAME.json the ids of every text without truncation, and its vector by
StaticModel.encode: {"ids": [[…], …], "vectors": [[…], …]}. requirements.txt has the versions.
"""

import base64
import json
import pathlib
import sys

import numpy as np
from model2vec import StaticModel
from model2vec.model import quantize_model
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

import texts

GPT4 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN = GPT4.replace("{1,3}", "")
BYTES = [f"<0x{b:02X}>" for b in range(256)]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
DIM = 8


def trained(tokenizer, trainer):
    tokenizer.train_from_iterator(texts.SENTENCES, trainer)
    return tokenizer


def edited(tokenizer, change):
    """The tokenizer with its JSON changed, for settings that the library reads but its constructors do not offer."""
    j = json.loads(tokenizer.to_str())
    change(j)
    return Tokenizer.from_str(json.dumps(j))


def bert(**options):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(**options)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return trained(t, trainers.WordPieceTrainer(vocab_size=700, special_tokens=SPECIAL, show_progress=False))


def gpt2():
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t = trained(t, trainers.BpeTrainer(vocab_size=500, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), special_tokens=["<|endoftext|>"], show_progress=False))
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=False)])
    return t


def llama3(pattern, ignore):
    t = Tokenizer(models.BPE(ignore_merges=ignore))
    t.normalizer = normalizers.NFC()
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t = trained(t, trainers.BpeTrainer(vocab_size=450, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), special_tokens=["<|endoftext|>"], show_progress=False))
    return t


def llama2():
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="never", split=True)
    t = trained(t, trainers.BpeTrainer(vocab_size=650, limit_alphabet=60, special_tokens=["<unk>", "<s>", "</s>"] + BYTES, show_progress=False))

    def change(j):
        j["pre_tokenizer"] = None
        j["added_tokens"] = j["added_tokens"][:3]
    return edited(t, change)


def clip():
    t = Tokenizer(models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>", fuse_unk=False))
    t.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase(), normalizers.Strip()])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Punctuation("contiguous")])
    return trained(t, trainers.BpeTrainer(vocab_size=500, limit_alphabet=80, end_of_word_suffix="</w>", special_tokens=["[UNK]"], show_progress=False))


def unigram(change=None, **options):
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    t = trained(t, trainers.UnigramTrainer(vocab_size=500, special_tokens=["<s>", "<unk>"], unk_token="<unk>", show_progress=False))
    return edited(t, change) if change else t


def xlm(j):
    charsmap = (pathlib.Path(__file__).parent.parent / "charsmap.bin").read_bytes()
    j["normalizer"] = {"type": "Sequence", "normalizers": [
        {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]}
    j["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]}
    j["added_tokens"].append({"id": len(j["model"]["vocab"]), "content": "<mask>", "single_word": False, "lstrip": True, "rstrip": False, "normalized": False, "special": True})


def fallback(j):
    j["model"]["byte_fallback"] = True
    j["model"]["vocab"] += [[b, -9.0 - i / 100] for i, b in enumerate(BYTES)]
    j["normalizer"] = {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]}
    j["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    j["added_tokens"].append({"id": len(j["model"]["vocab"]), "content": "Lighthouse", "single_word": True, "lstrip": False, "rstrip": True, "normalized": True, "special": False})


def words():
    t = Tokenizer(models.WordLevel(unk_token="<unk>"))
    t.normalizer = normalizers.NFD()
    t.pre_tokenizer = pre_tokenizers.Whitespace()
    return trained(t, trainers.WordLevelTrainer(vocab_size=300, special_tokens=["<unk>"], show_progress=False))


def fixtures(rng):
    def model(tokenizer, dtype=np.float32, weights=None, **options):
        n = tokenizer.get_vocab_size()
        vectors = rng.normal(size=(n, DIM)).astype(dtype)
        if weights is not None:
            options["weights"] = rng.uniform(0.1, 2, size=n).astype(weights)
        return StaticModel(vectors, tokenizer, **options)

    yield "bert", model(bert(), normalize=True)
    yield "bert-cased-f16-weights", model(bert(lowercase=False, strip_accents=False, clean_text=False), np.float16, np.float32)
    yield "gpt2-short", model(gpt2(), normalize=True, max_length=20)
    yield "llama2-int8", quantize_model(model(llama2(), normalize=True), quantize_to="int8")
    yield "llama3-f64", model(llama3(GPT4, True), np.float64, max_length=None)
    yield "qwen-f16", model(llama3(QWEN, False), np.float16, np.float16, normalize=True)
    yield "clip-weights", model(clip(), weights=np.float64, normalize=True)
    yield "unigram-mapping", quantize_model(model(unigram(), normalize=True), vocabulary_quantization=60)
    yield "xlm-int8-mapping", quantize_model(model(unigram(xlm), weights=np.float32), vocabulary_quantization=50, quantize_to="int8")
    yield "unigram-bytes", model(unigram(fallback))
    yield "words", model(words(), normalize=True)


def main(out, seed="0"):
    out, seed = pathlib.Path(out), int(seed)
    out.mkdir(parents=True, exist_ok=True)
    lines = texts.UGLY if seed == 0 else texts.random_texts(seed, 400)
    write = lambda name, what: (out / name).write_text(json.dumps(what, ensure_ascii=True, separators=(",", ":")) + "\n")
    write("texts.json", lines)
    for name, m in fixtures(np.random.default_rng(seed)):
        m.save_pretrained(out / name)
        for extra in ("README.md", "modules.json"):
            (out / name / extra).unlink(missing_ok=True)
        m = StaticModel.from_pretrained(out / name)
        m.tokenizer.no_truncation()
        ids = [e.ids for e in m.tokenizer.encode_batch(lines, add_special_tokens=False)]
        vectors = [[float(f"{x:.8g}") for x in v] for v in m.encode(lines)]
        write(name + ".json", {"ids": ids, "vectors": vectors})


if __name__ == "__main__":
    main(*sys.argv[1:])
