"""The choices that make the shipped model; README.md says how each was found. Those of a stage stand in its class."""

from .contrastive import Stage

SEED = 1
VOCABULARY = 32000
SURPLUS = 1.4  # the vocabulary from which the most used pieces are kept is so many times as large
DIMENSIONS = 256
STAGES = (
    Stage(steps=2500, rate=0.004),
    Stage(steps=900, rate=0.002, group=8, runs=4),
    Stage(steps=900, rate=0.0015, group=8, runs=4),
)
