#!/usr/bin/env python3
"""Writes cases.json: ugly and random inputs with the results of the reference scorers.

  python3 make.py FOLDER > cases.json      FOLDER holds score_segmentation.py and score_retrieval.py

Standard library only. Numbers are written with all their digits.
"""
import json, random, statistics, sys

sys.dont_write_bytecode = True

sys.path.insert(0, sys.argv[1])
import score_retrieval as R
import score_segmentation as S

rnd = random.Random(7)
WORDS = ("seam seams cutting cut edges edge wood wooden oak ΣΟΦΟΣ ΣΑΣ. İstanbul Straße naïve don't x_y 3rd ½ ² Ⅳ 日本語 e\u0301tude "
         "planets planet wind winds turning turned passes pass bus buses ing singing ring sing as is").split()


def segmentation():
    cases = [(n, [], []) for n in (0, 1, 2)] + [(2, [0], [0]), (2, [0], []), (3, [0, 1], [1]), (5, [3], [-1, 0, 3, 3, 99]), (9, [2, 3], [1, 2])]
    for _ in range(60):
        n = rnd.randint(2, 60)
        ref = sorted(rnd.sample(range(n - 1), rnd.randint(0, n - 1)))
        cases.append((n, ref, [rnd.randint(-1, n) for _ in range(rnd.randint(0, n))]))
    out = []
    for n, ref, hyp in cases:
        pk, wd = S.pk_wd(n, ref, hyp)
        k = len(ref) + 1
        out.append({"n": n, "ref": ref, "found": hyp, "k": S.window(n, ref), "pk": pk, "windowdiff": wd, "f1": S.f1(ref, hyp),
                    "f1_1": S.f1(ref, hyp, 1), "equal": sorted({round(n * (i + 1) / k) - 1 for i in range(len(ref))})})
    return out


def bounds():
    out = []
    for _ in range(40):
        at, sents = rnd.randint(0, 3), []
        for _ in range(rnd.randint(0, 12)):
            end = at + rnd.randint(1, 9)
            sents.append([at, end])
            at = end + rnd.randint(0, 4)
        starts = [rnd.randint(0, at + 5) for _ in range(rnd.randint(0, 10))]
        out.append({"sentences": sents, "starts": starts, "bounds": S.to_bounds(sents, starts)})
    return out


def retrieval():
    out = []
    for _ in range(60):
        def spans(n, width):
            return [(a, a + rnd.randint(1, width)) for a in (rnd.randint(0, 80) for _ in range(n))]
        refs = spans(rnd.randint(1, 4), 20)
        chunks = [(rnd.choice("ab"), s, e) for s, e in spans(rnd.randint(0, 12), 40)]
        if rnd.random() < .3:
            chunks.append(("a", refs[0][1], refs[0][1] + 9))  # touches
        iou, rec, pre = R.per_query("a", refs, chunks)
        out.append({"refs": refs, "chunks": [["ab".index(c), s, e] for c, s, e in chunks], "recall": rec, "precision": pre, "iou": iou,
                    "omega": R.omega("a", refs, chunks)})
    return out


def ranking():
    texts = [" ".join(rnd.choice(WORDS) for _ in range(rnd.randint(0, 30))) for _ in range(50)]
    texts += texts[:3]  # ties
    ix = R.BM25(texts)
    queries = [" ".join(rnd.choice(WORDS) for _ in range(rnd.randint(0, 5))) for _ in range(30)]
    return {"texts": texts, "terms": [R.terms(t) for t in texts], "queries": [{"query": q, "top": ix.top(q, 60)} for q in queries]}


def statistic():
    out = []
    for _ in range(30):
        v = [rnd.choice((rnd.random(), rnd.randint(0, 9) / 7, 1e17 * rnd.random(), -rnd.random())) for _ in range(rnd.randint(1, 40))]
        m = statistics.fmean(v)
        out.append({"values": v, "mean": m, "sd": statistics.pstdev(v), "mean5": round(m, 5)})
    return out


json.dump({"segmentation": segmentation(), "bounds": bounds(), "retrieval": retrieval(), "ranking": ranking(), "statistics": statistic()},
          sys.stdout, ensure_ascii=False)
