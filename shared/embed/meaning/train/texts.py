"""python texts.py CORPUS.jsonl.xz OUT: the training texts of the student, as JSON lines with "text".

short.jsonl     sentences, and texts like typed queries: pieces of sentences, headings, titles, questions
passages.jsonl  up to 800 characters below their title and heading, as a search finds them
held.jsonl      short texts of every 97th document, excluded from training
"""

import argparse
import json
import lzma
import pathlib
import random
import re

# Documents of the corpus that share text with the evaluation data (see ../../builtin/train/README.md).
SKIPPED = {"french colonization of texas", "music", "fascism", "social democracy", "kim hyun-joong", "german cruiser admiral graf spee"}


def shares(source):
    """The shares of sentences and of paragraphs to take from a source: more from documentation, because there is less of it."""
    if source == "wikipedia":
        return 0.058, 0.011
    return (0.09, 0.03) if "Med" in source else (0.22, 0.10)


def sentence(rng, s, words):
    """A sentence, or a piece of it, like a query; some without capitals and full stop."""
    if rng.random() >= 0.4 and len(words) >= 7:
        a = rng.randrange(0, len(words) - 4)
        s = " ".join(words[a : a + rng.randint(3, 14)])
    return s.lower().rstrip(".") if rng.random() < 0.25 else s


def texts_of(rng, document):
    """(short texts, passages) of a document."""
    short, passages = [], []
    title, wiki = document["title"], document["source"] == "wikipedia"
    of_sentences, of_passages = shares(document["source"])
    if title and rng.random() < 0.7:
        short.append(title)
    for heading, paragraphs in document["sections"]:
        if heading and rng.random() < (0.12 if wiki else 0.4):
            short.append(heading if rng.random() < 0.5 or not title else f"{title} > {heading}")
        head = " > ".join(dict.fromkeys(x for x in (title, heading) if x))
        gathered = ""
        for p in paragraphs:
            for s in re.split(r"(?<=[.?!])\s+|\n", p):
                words = s.split()
                if 3 <= len(words) <= 40 and rng.random() < of_sentences:
                    short.append(sentence(rng, s, words))
            gathered = (gathered + "\n" + p).strip() if len(gathered) < 700 else p
            if len(gathered) > 200 and rng.random() < 3 * of_passages:
                n = rng.choice([300, 500, 800, 800])
                passages.append((head + "\n" if head and rng.random() < 0.8 else "") + gathered[:n])
                gathered = ""
    for question, answer in document.get("qa") or []:
        if rng.random() < 0.8:
            short.append(question)
        if answer and rng.random() < 0.25:
            passages.append(answer[:800])
    return short, passages


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("corpus")
    a.add_argument("out", type=pathlib.Path)
    a = a.parse_args()
    rng = random.Random(7)
    short, passages, held = [], [], []
    for number, line in enumerate(lzma.open(a.corpus, "rt"), 1):
        document = json.loads(line)
        if document["title"].strip().lower() in SKIPPED:
            continue
        s, p = texts_of(rng, document)
        if number % 97 == 0:
            held += s
        else:
            short += s
            passages += p
    a.out.mkdir(parents=True, exist_ok=True)
    for name, texts in (("short", short), ("passages", passages), ("held", held)):
        texts = list(dict.fromkeys(texts))
        rng.shuffle(texts)
        with open(a.out / f"{name}.jsonl", "w") as f:
            f.writelines(json.dumps({"text": t}, ensure_ascii=False) + "\n" for t in texts)
        print(name, len(texts))


if __name__ == "__main__":
    main()
