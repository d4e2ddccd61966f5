/** What happens to large jobs, as published. Every number has its source. */

/** The kinds of faults that an engine can tell apart. */
export const FAULT_KINDS = {
  crash: 'a process ends, or its GPU or host ends it',
  hang: 'a process neither trains nor ends, as in a collective that waits for a lost connection',
  'node-silent': 'a node and all that runs on it is gone, and nobody says so',
  drain: 'a node is emptied, and its pods are told to stop',
} as const;
export type FaultKindName = keyof typeof FAULT_KINDS;

type KindCounts = Readonly<Record<FaultKindName, number>>;

/** Faults that were counted. */
export interface FailureMix {
  readonly counts: KindCounts;
  /** Over so many days of so many nodes of 8 GPUs. */
  readonly nodeDays: number;
}

interface PublishedCause {
  readonly cause: string;
  readonly count: number;
  /** `gpu`: it ends the process or hangs it; which of both is not published. `unseen`: no engine notices. */
  readonly kind: FaultKindName | 'gpu' | 'unseen';
}

/** The 419 unexpected interruptions of 54 days on 16,384 GPUs. The kinds are our reading, the counts are the paper's. */
export const LLAMA_3 = {
  source: 'Llama Team, The Llama 3 Herd of Models (arXiv:2407.21783), table 5',
  nodes: 16_384 / 8,
  days: 54,
  causes: [
    { cause: 'faulty GPU', count: 148, kind: 'gpu' },
    { cause: 'GPU HBM3 memory', count: 72, kind: 'gpu' },
    { cause: 'software bug', count: 54, kind: 'crash' },
    { cause: 'network switch or cable', count: 35, kind: 'hang' },
    { cause: 'host maintenance', count: 32, kind: 'drain' },
    { cause: 'GPU SRAM memory', count: 19, kind: 'gpu' },
    { cause: 'GPU system processor', count: 17, kind: 'gpu' },
    { cause: 'NIC', count: 7, kind: 'hang' },
    { cause: 'NCCL watchdog time-outs', count: 7, kind: 'hang' },
    { cause: 'silent data corruption', count: 6, kind: 'unseen' },
    { cause: 'GPU thermal interface and sensor', count: 6, kind: 'gpu' },
    { cause: 'SSD', count: 3, kind: 'node-silent' },
    { cause: 'power supply', count: 3, kind: 'node-silent' },
    { cause: 'server chassis', count: 2, kind: 'node-silent' },
    { cause: 'IO expansion board', count: 2, kind: 'node-silent' },
    { cause: 'dependency', count: 2, kind: 'crash' },
    { cause: 'CPU', count: 2, kind: 'node-silent' },
    { cause: 'system memory', count: 2, kind: 'node-silent' },
  ] satisfies readonly PublishedCause[] as readonly PublishedCause[],
} as const;

/** The mix of Llama 3. `hangingGpus`: which part of the GPU's faults hangs the process, from 0 to 1; the rest ends it. */
export function llama3Mix(hangingGpus: number): FailureMix {
  const countOf = (kind: PublishedCause['kind']) =>
    LLAMA_3.causes.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0);
  const gpu = countOf('gpu');
  return {
    counts: {
      crash: countOf('crash') + gpu * (1 - hangingGpus),
      hang: countOf('hang') + gpu * hangingGpus,
      'node-silent': countOf('node-silent'),
      drain: countOf('drain'),
    },
    nodeDays: LLAMA_3.nodes * LLAMA_3.days,
  };
}

export const faultsIn = ({ counts }: FailureMix): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const GPUS_PER_NODE = 8;
const DAY_SECONDS = 86_400;

/** By the linear rule: twice the nodes, twice the faults. */
export const secondsBetweenFaults = (mix: FailureMix, gpus: number): number =>
  (mix.nodeDays * DAY_SECONDS) / (faultsIn(mix) * (gpus / GPUS_PER_NODE));
