"""Makes small random encoders, and their vectors by reference.py:

    python make.py OUT

OUT/NAME/ is a model, OUT/NAME.json {"texts": […], "vectors": [[…], …], "queries": [[…], …]}; queries are vectors with the model's
query prompt. requirements.txt has the versions.
"""

import json
import pathlib
import sys

import numpy as np
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import reference

TEXTS = [
    "",
    "A doctor works in a hospital.",
    "Der Arzt arbeitet im Krankenhaus.",
    "Où est la bibliothèque ?",
    "Врач работает в больнице.",
    "医者は病院で働いています。",
    "الطبيب يعمل في المستشفى",
    "x",
    "Rain fell on the roof all night, and in the morning the river had risen over the road to the mill.",
    "Long texts are taken in windows. " * 12,
]


def wordpiece():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(TEXTS, trainers.WordPieceTrainer(vocab_size=220, special_tokens=special, show_progress=False))
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return t


def unigram():
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.NFKC()
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    t.decoder = decoders.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    t.train_from_iterator(TEXTS, trainers.UnigramTrainer(vocab_size=160, special_tokens=special, unk_token="<unk>", show_progress=False))
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


def narrow(x, dtype):
    """The bytes of numbers in a type of safetensors."""
    x = x.astype("<f4")
    if dtype == "BF16":
        return (x.view("<u4") >> 16).astype("<u2").tobytes()
    return x.astype({"F32": "<f4", "F16": "<f2"}[dtype]).tobytes()


def save(path, tensors, dtype):
    head, data = {}, b""
    for name, x in tensors.items():
        b = narrow(x, dtype)
        head[name] = {"dtype": dtype, "shape": list(x.shape), "data_offsets": [len(data), len(data) + len(b)]}
        data += b
    head = json.dumps(head).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + data)


def tensors(rng, c, prefix):
    w, inner = c["hidden_size"], c["intermediate_size"]

    def one(*shape):
        return rng.normal(0, 0.35 if len(shape) > 1 else 0.1, shape)

    out = {}
    out["embeddings.word_embeddings.weight"] = one(c["vocab_size"], w)
    out["embeddings.position_embeddings.weight"] = one(c["max_position_embeddings"], w)
    out["embeddings.token_type_embeddings.weight"] = one(c["type_vocab_size"], w)

    def norm(name):
        out[name + ".weight"], out[name + ".bias"] = 1 + one(w), one(w)

    def dense(name, rows, columns):
        out[name + ".weight"], out[name + ".bias"] = one(rows, columns), one(rows)

    norm("embeddings.LayerNorm")
    for i in range(c["num_hidden_layers"]):
        name = f"encoder.layer.{i}."
        for part in ("query", "key", "value"):
            dense(f"{name}attention.self.{part}", w, w)
        dense(name + "attention.output.dense", w, w)
        norm(name + "attention.output.LayerNorm")
        dense(name + "intermediate.dense", inner, w)
        dense(name + "output.dense", w, inner)
        norm(name + "output.LayerNorm")
    return {prefix + k: v for k, v in out.items()}


def make(out, name, seed, tokenizer, config, dtype, prefix, first, window, prompts):
    folder = out / name
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    c = {"hidden_act": "gelu", "type_vocab_size": 2, "layer_norm_eps": 1e-12, "vocab_size": tokenizer.get_vocab_size(), **config}
    files = {
        "config.json": c,
        "1_Pooling/config.json": {"word_embedding_dimension": c["hidden_size"], "pooling_mode_cls_token": first, "pooling_mode_mean_tokens": not first},
        "modules.json": [{"idx": i, "name": str(i), "path": p, "type": "sentence_transformers.models." + t} for i, (p, t) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")])],
        "sentence_bert_config.json": {"max_seq_length": window, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": prompts, "default_prompt_name": None},
    }
    for file, value in files.items():
        (folder / file).write_text(json.dumps(value, indent=1) + "\n")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    save(folder / "model.safetensors", tensors(np.random.default_rng(seed), c, prefix), dtype)
    model = reference.Model(folder)
    short = TEXTS[:8]
    rounded = lambda rows: [[round(float(x), 7) for x in row] for row in rows]
    expected = {"texts": TEXTS, "vectors": rounded(map(model.encode, TEXTS)), "queries": rounded(model.encode(t, prompts.get("query", "")) for t in short)}
    (out / (name + ".json")).write_text(json.dumps(expected, ensure_ascii=False) + "\n")


def main():
    out = pathlib.Path(sys.argv[1])
    shape = lambda **c: {"model_type": "bert", "max_position_embeddings": 64, "num_hidden_layers": 2, **c}
    make(out, "bert-f32-mean", 1, wordpiece(), shape(hidden_size=32, intermediate_size=64, num_attention_heads=4), "F32", "", False, 48, {})
    prompts = {"query": "doctor: ", "document": "rain: "}
    make(out, "bert-f16-first-prompts", 2, wordpiece(), shape(hidden_size=48, intermediate_size=40, num_attention_heads=2), "F16", "bert.", True, 64, prompts)
    xlm = shape(model_type="xlm-roberta", pad_token_id=1, type_vocab_size=1, hidden_size=40, intermediate_size=72, num_attention_heads=1, layer_norm_eps=1e-5)
    make(out, "xlmr-bf16-mean", 3, unigram(), xlm, "BF16", "roberta.", False, 62, {})


if __name__ == "__main__":
    main()
