"""The WordPiece vocabulary: a larger one is trained, then the pieces that the text uses most are kept.

WordPiece training joins short pieces to long ones. The short ones stay in the vocabulary, although the greedy longest
match hardly ever uses them again ("chromos" once "chromosome" exists). Keeping only the pieces that the encoder uses
most gives their rows to whole words instead.
"""

import json
from collections import Counter

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

UNKNOWN = "[UNK]"
MAX_WORD = 60  # characters; anything longer is not a word
ALPHABET = 120  # most characters known; English text needs fewer


def empty_tokenizer(vocabulary=None):
    """A BERT tokenizer without a vocabulary."""
    tokenizer = Tokenizer(
        models.WordPiece(vocab=vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=MAX_WORD)
        if vocabulary
        else models.WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=MAX_WORD)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def passages(documents):
    """Every text of the documents that the model will be trained on."""
    for doc in documents:
        for heading, paragraphs in doc.sections:
            yield heading
            yield from paragraphs
        for question, _ in doc.qa:
            yield question


def train_tokenizer(documents, size, surplus):
    """A tokenizer with `size` pieces: the most used ones of a vocabulary that is `surplus` times as large."""
    large = empty_tokenizer()
    large.train_from_iterator(
        passages(documents),
        trainers.WordPieceTrainer(
            vocab_size=int(size * surplus),
            special_tokens=[UNKNOWN],
            min_frequency=5,
            limit_alphabet=ALPHABET,
            show_progress=False,
        ),
    )
    uses = count_uses(large, documents)
    pieces = sorted(large.get_vocab(), key=large.token_to_id)
    needed = [p for p in pieces if p == UNKNOWN or len(p.removeprefix("##")) == 1]  # every word stays spellable
    others = sorted(set(pieces) - set(needed), key=lambda p: (-uses[p], p))
    kept = needed + others[: size - len(needed)]
    return empty_tokenizer({piece: i for i, piece in enumerate(kept)})


def count_uses(tokenizer, documents):
    """The number of times that the encoder emits each piece, over the whole text."""
    uses = np.zeros(tokenizer.get_vocab_size(), np.int64)
    for ids in encode_stream(tokenizer, passages(documents)):
        np.add.at(uses, ids, 1)
    return Counter({tokenizer.id_to_token(i): int(n) for i, n in enumerate(uses)})


def encode_stream(tokenizer, texts, batch=4096):
    """The token numbers of each text, unknown ones dropped, as the product drops them."""
    unknown = tokenizer.token_to_id(UNKNOWN)
    waiting = []

    def encoded():
        for e in tokenizer.encode_batch_fast(waiting, add_special_tokens=False):
            ids = np.array(e.ids, np.uint16)
            yield ids[ids != unknown]

    for text in texts:
        waiting.append(text)
        if len(waiting) == batch:
            yield from encoded()
            waiting.clear()
    yield from encoded()


def pieces_in_order(tokenizer):
    """The vocabulary as a list, in the order of its numbers."""
    vocabulary = json.loads(tokenizer.to_str())["model"]["vocab"]
    return sorted(vocabulary, key=vocabulary.get)
