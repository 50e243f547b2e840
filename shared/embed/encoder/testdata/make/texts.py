"""1,000 texts in ten languages, from the sentences in shared/sentence/testdata: from one sentence to some paragraphs long.

    python texts.py OUT.json
"""

import json
import pathlib
import random
import sys

LANGUAGES = ["de", "es", "fr", "it", "ja", "pl", "pt", "ru", "tr", "zh"]

here = pathlib.Path(__file__).resolve()
folder = here.parents[4] / "sentence" / "testdata" / "languages"
rng = random.Random(1)
texts = []
for language in LANGUAGES:
    lines = [json.loads(line).replace("¦", "") for line in (folder / f"{language}.jsonl").read_text().splitlines() if line]
    for i in range(100):
        texts.append(" ".join(rng.choice(lines) for _ in range(rng.choice([1, 1, 2, 3, 5, 8, 13]))))
pathlib.Path(sys.argv[1]).write_text(json.dumps(texts, ensure_ascii=False))
