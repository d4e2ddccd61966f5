/**
 * Jobs as they come to a cluster, from a seed. No trace of a real cluster is among the files of this project: gang sizes and
 * durations are fitted to what is published of SenseTime's Helios (Hu et al., SC '21: 1.58 million GPU jobs, some 3.7 GPUs and 1.8 h
 * on average, most of one GPU and of a few minutes, jobs of 8 GPUs and more with most of the GPU time), and how much comes by day and
 * by night to Microsoft's Philly (Jeon et al., ATC '19), roughly.
 */
export interface TraceJob {
  readonly name: string;
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly gpus: number;
  readonly runsForMs: number;
  /** Its limit: people ask for more than they need. */
  readonly declaredMs: number;
  readonly lane: 'production' | 'research';
}

const HOUR_MS = 3_600_000;
const SIZES: readonly (readonly [number, number])[] = [
  [1, 0.564],
  [2, 0.13],
  [4, 0.11],
  [8, 0.14],
  [16, 0.04],
  [32, 0.012],
  [64, 0.004],
];
const MEDIAN_MS = 206_000;
/** Of the logarithm: with this median it gives a mean of 1.8 h. */
const SPREAD = 2.64;
const SHORTEST_MS = 10_000;
const LONGEST_MS = 72 * HOUR_MS;

/** Returns jobs that would use a part (`load`) of so many GPUs if none ever had to wait. */
export function traceOf({ seed, days, gpus, load }: TraceSize): readonly TraceJob[] {
  const random = dice(seed);
  const drawn: Omit<TraceJob, 'at' | 'name'>[] = [];
  const wanted = gpus * load * days * 24 * HOUR_MS;
  for (let sum = 0; sum < wanted; ) {
    const job = draw(random);
    drawn.push(job);
    sum += job.gpus * job.runsForMs;
  }
  return drawn
    .map((job) => ({ ...job, at: arrival(random, days) }))
    .sort((a, b) => a.at - b.at)
    .map((job, index) => ({ ...job, name: `job-${String(index).padStart(6, '0')}` }));
}

interface TraceSize {
  readonly seed: number;
  readonly days: number;
  readonly gpus: number;
  readonly load: number;
}

function draw(random: () => number): Omit<TraceJob, 'at' | 'name'> {
  const runsForMs = Math.round(
    Math.min(LONGEST_MS, Math.max(SHORTEST_MS, MEDIAN_MS * Math.exp(SPREAD * normal(random)))),
  );
  return {
    gpus: sizeOf(random()),
    runsForMs,
    declaredMs: Math.round(runsForMs * (1 + 2 * random())),
    lane: random() < 0.3 ? 'production' : 'research',
  };
}

function sizeOf(chance: number): number {
  let rest = chance;
  for (const [gpus, part] of SIZES) {
    if (rest < part) return gpus;
    rest -= part;
  }
  return SIZES[0]![0];
}

/** Twice as many by day as by night. */
function arrival(random: () => number, days: number): number {
  for (;;) {
    const at = random() * days * 24;
    const chance = 0.75 - 0.25 * Math.cos((2 * Math.PI * at) / 24);
    if (random() < chance) return Math.round(at * HOUR_MS);
  }
}

const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Mulberry32: numbers from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
