"""The training text: reading it, and keeping the evaluation data out of it.

A model looks better than it is if it was trained on the articles that judge it. Documents are left out by title and by
content, because the same passage may appear under another title.
"""

import gzip
import hashlib
import html
import json
import lzma
import re
from dataclasses import dataclass, field
from pathlib import Path

SHINGLE = 13  # words; long enough that two authors do not write the same by chance
STRIDE = 4  # every 4th shingle of the training text is looked up: shared runs of 16 words are always seen
SHARED = 3  # a document with this many hits (at least 21 words in a row, or several places) is left out


@dataclass
class Document:
    """One document: sections of paragraphs, and questions with the passage that answers them."""

    source: str
    title: str
    sections: list  # [[heading, [paragraph, …]], …]
    qa: list = field(default_factory=list)  # [[question, answer], …]


def read_corpus(folder):
    """All documents of corpus.jsonl.xz (or corpus.jsonl) in `folder`, in order."""
    path = Path(folder) / "corpus.jsonl"
    opener = open if path.exists() else lzma.open
    path = path if path.exists() else path.with_suffix(".jsonl.xz")
    with opener(path, "rt", encoding="utf8") as lines:
        return [Document(**json.loads(line)) for line in lines]


def normal_title(title):
    """A title without the differences between spellings: entities, a note in parentheses, case and punctuation."""
    title = html.unescape(html.unescape(title))
    title = re.sub(r"\([^)]*\)", " ", title)
    return " ".join(re.findall(r"\w+", title.lower()))


def normal_question(question):
    """A question in lower case, with one blank for each run of characters other than letters and digits."""
    return re.sub(r"[\W_]+", " ", question.lower()).strip()


def question_hash(question):
    """The first 8 bytes of the SHA-256 of a normalised question: enough to recognise it, but not to read it."""
    return hashlib.sha256(normal_question(question).encode()).digest()[:8]


def evaluation_titles(data):
    """Normalised titles of all documents in the evaluation sets under `data`."""
    titles = set()
    refs = json.loads((data / "segmentation/refs.json").read_text("utf8"))
    for doc in refs["docs"]:
        source = doc["source"]
        titles.update([source] if isinstance(source, str) else source)
    wikitexts = (data / "chunking_eval/corpora/wikitexts.md").read_text("utf8")
    titles.update(re.findall(r"^ = ([^=].*?) = *$", wikitexts, flags=re.M))
    return {normal_title(t) for t in titles} - {""}


def evaluation_shingles(data):
    """Every run of SHINGLE words in the evaluation corpora."""
    found = set()
    files = sorted((data / "chunking_eval/corpora").glob("*.md")) + sorted((data / "segmentation/docs").glob("*.txt"))
    for path in files:
        words = re.findall(r"\w+", path.read_text("utf8").lower())
        found.update(" ".join(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1))
    return found


def shared_shingles(doc, shingles):
    """The number of looked-up shingles of a document that occur in the evaluation corpora."""
    text = " ".join(p for _, paragraphs in doc.sections for p in paragraphs)
    words = re.findall(r"\w+", text.lower())
    return sum(" ".join(words[i : i + SHINGLE]) in shingles for i in range(0, len(words) - SHINGLE + 1, STRIDE))


def without_evaluation_data(documents, data):
    """The documents that share nothing with the evaluation data, and a report of the others."""
    titles, shingles = evaluation_titles(data), evaluation_shingles(data)
    questions = json.loads((data / "chunking_eval/questions.json").read_text("utf8"))
    asked = {question_hash(q["question"]) for q in questions}
    kept, report = [], {"title": [], "passages": [], "questions": 0}
    for doc in documents:
        if normal_title(doc.title) in titles:
            report["title"].append(doc.title)
        elif shared_shingles(doc, shingles) >= SHARED:
            report["passages"].append(doc.title)
        else:
            qa = [pair for pair in doc.qa if question_hash(pair[0]) not in asked]
            report["questions"] += len(doc.qa) - len(qa)
            kept.append(Document(doc.source, doc.title, doc.sections, qa))
    return kept, report


def write_titles(documents, path):
    """The list of all training documents, for attribution and for a test that compares it with the evaluation sets.

    The format is a sorted `source<TAB>title` per line, compressed without a time, so that equal lists are equal files.
    """
    lines = sorted({f"{d.source}\t{' '.join(d.title.split())}\n" for d in documents})
    Path(path).write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))


def write_questions(documents, path):
    """The sorted hashes of all questions trained on."""
    hashes = sorted({question_hash(q) for d in documents for q, _ in d.qa})
    Path(path).write_bytes(b"".join(hashes))
