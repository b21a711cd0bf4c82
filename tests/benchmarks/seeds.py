"""How surely the reversal model learns its task: the whole training, with several seeds.

    python tests/benchmarks/seeds.py [--seeds 4]

For each seed: the exact match on 500 sequences that training does not see, of the model (the mean of five checkpoints)
and of the last step alone; when it first was 100 %; the smoothed loss of the model on these sequences, and of the last
100 training steps, with dropout, beside the floor of the smoothed loss; and the share of letters at which the
cross-attention of the last layer is on the anti-diagonal. About a minute a seed.
"""

import argparse
import time

from transformer.cross_entropy import smoothing_floor
from transformer.data.reversal import VOCABULARY
from transformer.recipes import reversal
from transformer.training import result, start, training


def row(seed):
    """The figures of one seed, as a row of a table."""
    recipe = reversal.recipe(reversal.configuration(), seed)
    state, losses, begin = start(recipe), [], time.perf_counter()
    for entry in training(recipe, state):
        losses.append(entry["loss"])
    seconds = time.perf_counter() - begin
    measured = [entry for entry in state.curve if "exact_match" in entry]
    last = measured[-1]
    model = recipe.measure(result(recipe, state))
    perfect = next((f"{entry['step']:,}" for entry in measured if entry["exact_match"] == 1), "never")
    return (f"| {seed} | {model['exact_match']:.1%} | {last['exact_match']:.1%} | {perfect} | "
            f"{model['validation_smoothed_loss']:.4f} | {sum(losses[-100:]) / 100:.4f} | "
            f"{model['antidiagonal']:.2%} | {losses[0]:.3f} | {seconds:.0f} s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4)
    args = parser.parse_args()
    c = reversal.configuration()
    floor = smoothing_floor(len(VOCABULARY), c["smoothing"])
    print(f"{c['steps']:,} steps of {c['batch']} sequences; floor of the smoothed loss {floor:.4f}\n")
    print("| seed | exact match | of the last step | 100 % first at step | smoothed loss | "
          "in training, last 100 steps | anti-diagonal | first loss | time |\n|---|---|---|---|---|---|---|---|---|")
    for seed in range(args.seeds):
        print(row(seed), flush=True)


if __name__ == "__main__":
    main()
