"""The settings of the shipped model; README.md describes how each was found. Settings of a stage are in its class."""

from .contrastive import Stage

SEED = 1
VOCABULARY = 32000
SURPLUS = 1.4  # size of the first vocabulary, from which the most used pieces are kept, relative to VOCABULARY
DIMENSIONS = 256
STAGES = (
    Stage(steps=2500, rate=0.004),
    Stage(steps=900, rate=0.002, group=8, runs=4),
    Stage(steps=900, rate=0.0015, group=8, runs=4),
)
