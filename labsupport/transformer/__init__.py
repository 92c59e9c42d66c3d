"""A tiny transformer that trains with the learner's own position functions: model, positions and training.

Nothing here is an answer to an exercise, with one exception that is meant: the model's attention, forward and backward
in a form made for speed.
"""

from labsupport.transformer.gradients import gradient_errors
from labsupport.transformer.model import Transformer
from labsupport.transformer.positions import Bias, Buckets, Learned, Positions, Rotary, Shaw, Table
from labsupport.transformer.training import Training

__all__ = ["Bias", "Buckets", "Learned", "Positions", "Rotary", "Shaw", "Table", "Training", "Transformer",
           "gradient_errors"]  # fmt: skip
