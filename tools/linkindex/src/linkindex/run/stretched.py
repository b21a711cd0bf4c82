"""Random numbers that are nearer to 0, or farther from it, than usual: all of them could be drawn without that, too."""

import numpy as np


class Stretched(np.random.Generator):
    """Normal numbers are multiplied by ``factor``; even ones are drawn towards an end of their range."""

    def __init__(self, seed: int, factor: float):
        super().__init__(np.random.PCG64(seed))
        self.factor = factor

    def standard_normal(self, *arguments, **named):
        return self.factor * super().standard_normal(*arguments, **named)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return loc + self.factor * super().normal(0.0, scale, size)

    def random(self, *arguments, **named):
        return super().random(*arguments, **named) ** self.factor

    def uniform(self, low=0.0, high=1.0, size=None):
        return low + (np.subtract(high, low)) * super().uniform(0.0, 1.0, size) ** self.factor
