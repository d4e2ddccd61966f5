"""Data-parallel training with TensorFlow: MultiWorkerMirroredStrategy, on CPUs.

The rendezvous is the TF_CONFIG that a TFJob injects.
"""

import json
import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

STEPS = 100
SAMPLES = 600
RATE = 0.5


def main() -> None:
    task = json.loads(os.environ["TF_CONFIG"])["task"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    rank, world = strategy.cluster_resolver.task_id, strategy.num_replicas_in_sync
    if task["type"] == "worker":
        rank += 1  # the chief comes first
    inputs, labels = (tf.constant(values[rank::world]) for values in samples())
    with strategy.scope():
        weights = tf.Variable(tf.zeros([2, 1]))
        bias = tf.Variable(0.0)

    def step() -> tf.Tensor:
        with tf.GradientTape() as tape:
            scores = tf.squeeze(inputs @ weights, 1) + bias
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, scores))
        gradients = tape.gradient(loss, [weights, bias])
        context = tf.distribute.get_replica_context()
        gradients = context.all_reduce(tf.distribute.ReduceOp.MEAN, gradients)
        for variable, gradient in zip([weights, bias], gradients):
            variable.assign_sub(RATE * gradient)
        return loss

    @tf.function
    def train_step() -> tf.Tensor:
        return strategy.reduce(tf.distribute.ReduceOp.MEAN, strategy.run(step), axis=None)

    for number in range(STEPS):
        loss = train_step()
        if rank == 0 and (number % 20 == 0 or number == STEPS - 1):
            print(f"step={number} loss={loss.numpy():.4f}", flush=True)
    mine = tf.concat([tf.reshape(weights.read_value(), [-1]), [bias.read_value()]], 0)
    everybodys = strategy.gather(strategy.run(lambda: mine[None]), axis=0)
    if not bool(tf.reduce_all(everybodys == mine)):
        sys.exit("weights differ between tasks")
    print(f"[{task['type']} {task['index']}] done: all {world} tasks hold the same weights", flush=True)


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Two clouds of points, the same for all tasks."""
    random = np.random.default_rng(7)
    labels = np.arange(SAMPLES) % 2
    order = random.permutation(SAMPLES)
    inputs = random.normal(size=(SAMPLES, 2)) + 2 * labels[:, None]
    return inputs[order].astype("float32"), labels[order].astype("float32")


if __name__ == "__main__":
    main()
