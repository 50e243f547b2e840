#!/usr/bin/env python3
"""Texts with headings, and the parts that a careful person would keep together.

    python3 shared/eval/headed/make.py --data ../shared/data /tmp/headed
    seam eval segmentation --data /tmp/headed

writes the texts as Markdown, and refs.json. marks.json was written by hand from the
outlines of the texts, before any chunks were seen. A group is a range of sections; 0 is
the text before the first heading. Texts of "own" are in this folder. Texts of "corpus"
are held-out documents of the training text (see embed/builtin/train/heldout.py), which
is read from the data and not kept here.
"""
import argparse, json, lzma, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../embed/builtin/train"))
import heldout  # noqa: E402

SENTENCE = re.compile(r"(?<=[.!?:])[\"')]*\s+(?=[^\s])")


class Document:
    def __init__(self, row):
        self.source, self.title, self.sections = row["source"], row["title"], row["sections"]


def markdown(doc):
    """The text of a document, and the offsets of its sections."""
    text, starts, under = f"# {doc.title}\n\n", [], ""
    for i, (heading, paragraphs) in enumerate(doc.sections):
        starts.append(len(text) if i else 0)
        parent = "Examples" if heading.startswith("Example ") else "Parameters" if re.match(r"-[A-Z]|CommonParameters", heading) else ""
        if parent and parent != under:
            text += f"## {parent}\n\n"
        under = parent
        if heading:
            text += f"{'###' if parent else '##'} {heading}\n\n"
        text += "".join(" ".join(p.split()) + "\n\n" for p in paragraphs)
    return text, starts


def own(name):
    text = open(os.path.join(HERE, name), encoding="utf-8").read()
    return text, [0] + [m.start() for m in re.finditer(r"^##+ ", text, re.M)]


def reference(name, set_, text, starts, keep):
    """One document of refs.json; its units are the sentences of each line."""
    spans = []
    for line in re.finditer(r"[^\n]+", text):
        at = line.start()
        for part in SENTENCE.split(line.group()):
            at = text.index(part, at)
            spans.append((at, at + len(part)))
            at += len(part)
    first = [int(group.split("-")[0]) for group in keep]
    last = [int(group.split("-")[-1]) for group in keep]
    assert first == [0] + [i + 1 for i in last[:-1]] and last[-1] == len(starts) - 1, (name, len(starts), keep)
    cuts = {starts[i] for i in first[1:]}
    boundaries = [i - 1 for i, (start, _) in enumerate(spans) if start in cuts]
    assert len(boundaries) == len(cuts), name
    byte = lambda i: len(text[:i].encode())
    return {"id": name, "set": set_, "file": name + ".md", "sentences": [[byte(s), byte(e)] for s, e in spans], "boundaries": boundaries}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SEAM_DATA", "../shared/data"))
    parser.add_argument("out")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    marks = json.load(open(os.path.join(HERE, "marks.json")))
    docs = []

    def add(name, set_, text, starts, keep):
        open(os.path.join(args.out, name + ".md"), "w", encoding="utf-8").write(text)
        docs.append(reference(name, set_, text, starts, keep))

    for mark in marks["own"]:
        add(mark["file"].removesuffix(".md"), "own", *own(mark["file"]), mark["keep"])
    corpus = os.path.join(args.data, "train/corpus.jsonl.xz")
    if os.path.exists(corpus):
        _, held = heldout.split([Document(json.loads(line)) for line in lzma.open(corpus, "rt")])
        by_title = {doc.title: doc for doc in held}
        for i, mark in enumerate(marks["corpus"]):
            doc = by_title[mark["title"]]
            add(f"{i:02d}", doc.source.split("/")[-1].split(".")[0], *markdown(doc), mark["keep"])
    else:
        print(f"skipping {len(marks['corpus'])} texts: no {corpus}", file=sys.stderr)
    json.dump({"docs": docs}, open(os.path.join(args.out, "refs.json"), "w"))
    print(f"{len(docs)} texts in {args.out}")


main()
