// Data-parallel training in plain JavaScript: every process holds the same small network and its own part of the data,
// and after each step the gradients are averaged by a ring all-reduce over TCP. The processes find each other through
// what a PyTorchJob injects: MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE.

import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { joinRing } from './ring.mjs';

const NUMBERS = {
  steps: 200,
  'step-millis': 20,
  'log-every': 20,
  'fail-at-step': -1,
  'fail-rank': 0,
  seed: 7,
};
const options = readOptions(process.argv.slice(2));
const rank = readNumber('RANK', process.env.RANK ?? '0');
const world = readNumber('WORLD_SIZE', process.env.WORLD_SIZE ?? '1');
const say = (text) => console.log(`[rank ${rank}] ${text}`);

process.on('SIGTERM', () => {
  say('asked to stop');
  process.exit(143);
});

const HIDDEN = 16;
const SAMPLES = 600;
const BATCH = 32;
const LEARNING_RATE = 0.15;
const MOMENTUM = 0.9;
// One flat array, as it is what travels: input weights (2 x HIDDEN), their biases, output weights, output bias.
const SIZE = 4 * HIDDEN + 1;

try {
  const ring = await joinRing({ rank, world, env: process.env, say });
  await train(ring);
  ring.close();
  // The job ends with rank 0, and the clean-up then ends what still runs: the others may end by themselves first.
  if (rank === 0) await delay(1_000);
} catch (error) {
  console.error(`[rank ${rank}] failed: ${error.message}`);
  process.exit(1);
}

async function train(ring) {
  const random = createRandom(options.seed); // the same for all: the same data, and the same weights to start from
  const data = Array.from({ length: SAMPLES }, (_, i) => sample(i % 2, random)).filter(
    (_, i) => i % world === rank,
  );
  const weights = Float64Array.from({ length: SIZE }, () => 2 * random() - 1);
  const velocity = new Float64Array(SIZE);
  for (let step = 0; step < options.steps; step++) {
    if (step === options['fail-at-step'] && rank === options['fail-rank']) {
      say(`fails at step ${step}, as it was told to`);
      process.exit(3);
    }
    const batch = Array.from({ length: BATCH }, (_, i) => data[(step * BATCH + i) % data.length]);
    const sums = await ring.allReduce(gradients(weights, batch)); // gradients, then loss and hits of the batch
    for (let i = 0; i < SIZE; i++) {
      velocity[i] = MOMENTUM * velocity[i] + sums[i] / (world * BATCH);
      weights[i] -= LEARNING_RATE * velocity[i];
    }
    if (rank === 0 && (step % options['log-every'] === 0 || step === options.steps - 1)) {
      const mean = (sum) => sum / (world * BATCH);
      console.log(
        `step=${step} loss=${mean(sums[SIZE]).toFixed(4)} accuracy=${mean(sums[SIZE + 1]).toFixed(2)}`,
      );
    }
    await delay(options['step-millis']);
  }
  await agree(ring, weights);
}

/** Everybody tells everybody the checksum of its weights: after synchronous training all are equal, to the last bit. */
async function agree(ring, weights) {
  const mine = checksum(weights);
  const all = await ring.allReduce(Float64Array.from({ length: world }, (_, i) => (i === rank ? mine : 0)));
  if (all.some((other) => other !== mine))
    throw new Error(`weights differ between ranks: checksums ${[...all]}`);
  say(`done: all ${world} ranks hold the same weights (checksum ${mine.toString(16)})`);
}

/** Two half moons that grip into each other: no straight line parts them. */
function sample(label, random) {
  const angle = Math.PI * random();
  const noise = () => (random() - 0.5) * 0.2;
  return label === 0
    ? { x: [Math.cos(angle) + noise(), Math.sin(angle) + noise()], label }
    : { x: [1 - Math.cos(angle) + noise(), 0.5 - Math.sin(angle) + noise()], label };
}

/** The gradients of a batch summed up, followed by its summed loss (cross entropy) and the number of right answers. */
function gradients(weights, batch) {
  const sums = new Float64Array(SIZE + 2);
  for (const { x, label } of batch) {
    const hidden = Array.from({ length: HIDDEN }, (_, h) =>
      Math.tanh(weights[2 * h] * x[0] + weights[2 * h + 1] * x[1] + weights[2 * HIDDEN + h]),
    );
    const score = hidden.reduce((sum, value, h) => sum + value * weights[3 * HIDDEN + h], weights[SIZE - 1]);
    const guess = 1 / (1 + Math.exp(-score));
    const error = guess - label;
    for (let h = 0; h < HIDDEN; h++) {
      const back = error * weights[3 * HIDDEN + h] * (1 - hidden[h] ** 2);
      sums[2 * h] += back * x[0];
      sums[2 * h + 1] += back * x[1];
      sums[2 * HIDDEN + h] += back;
      sums[3 * HIDDEN + h] += error * hidden[h];
    }
    sums[SIZE - 1] += error;
    sums[SIZE] -= Math.log(Math.max(1e-12, label === 1 ? guess : 1 - guess));
    sums[SIZE + 1] += guess > 0.5 === (label === 1) ? 1 : 0;
  }
  return sums;
}

/** mulberry32: small, fast and the same everywhere. */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over the bytes of the weights. */
function checksum(weights) {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(weights.buffer)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

function readOptions(args) {
  const names = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({ args, options: names });
  return Object.fromEntries(
    Object.entries(NUMBERS).map(([name, fallback]) => [
      name,
      readNumber(`--${name}`, values[name] ?? fallback),
    ]),
  );
}

function readNumber(name, text) {
  if (Number.isInteger(Number(text))) return Number(text);
  throw new TypeError(`${name}: expected an integer, got ${JSON.stringify(text)}`);
}
