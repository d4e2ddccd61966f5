import type { FaultKindName } from './failure-mixes.ts';

/** How one system, with one of its settings, recovers from each kind of fault. */
export interface SystemTimes {
  readonly system: string;
  readonly settings: string;
  readonly kinds: Readonly<Partial<Record<FaultKindName, KindTimes>>>;
}

export interface KindTimes {
  readonly trials: readonly TrialTime[];
  /** From where: trials, or what follows from the source of a system. */
  readonly basis: 'measured' | 'calculated';
  readonly note?: string;
}

export interface TrialTime {
  /** From the fault, or from when a person acts, until all ranks train again. */
  readonly seconds: number;
  /** Part of the work since the last checkpoint that was not lost, from 0 to 1. */
  readonly kept: number;
  /** Nothing happens until a person acts. */
  readonly waitsForPerson: boolean;
}

/** Kinds that are those of the drill, by the same names. */
const DRILLED: readonly FaultKindName[] = ['crash', 'hang', 'drain', 'node-silent'];

/** A trial of the drill, as its JSON has it: what is read of it here. */
export interface DrillTrial {
  readonly fault: string;
  readonly system: string;
  readonly settings: string;
  readonly findings?: {
    readonly recovery?: { readonly trainedMs: number; readonly lostSteps: number };
  };
}

/** Times of a system for the kinds that were measured, and for the others as far as its source tells. */
export function timesOf(trials: readonly DrillTrial[]): SystemTimes[] {
  const bySystem = Map.groupBy(trials, ({ system, settings }) => `${system}\n${settings}`);
  return [...bySystem].map(([key, members]) => {
    const [system, settings] = key.split('\n') as [string, string];
    const measured = measuredKinds(members);
    return { system, settings, kinds: { ...calculatedKinds(system, settings, measured), ...measured } };
  });
}

type Kinds = SystemTimes['kinds'];

function measuredKinds(trials: readonly DrillTrial[]): Kinds {
  const crash = medianSeconds(trials, 'crash');
  const entries = DRILLED.flatMap((kind) => {
    const found = trials.filter(({ fault, findings }) => fault === kind && findings);
    const times = found.flatMap((trial) => timeOf(trial, crash) ?? []);
    return times.length > 0 ? [[kind, { trials: times, basis: 'measured' as const }]] : [];
  });
  return Object.fromEntries(entries);
}

/** A job that missed the cap waits for a person, and then recovers as from a crash. */
function timeOf(trial: DrillTrial, crash: number | undefined): TrialTime | undefined {
  const recovery = trial.findings?.recovery;
  if (!recovery) return crash === undefined ? undefined : { seconds: crash, kept: 0, waitsForPerson: true };
  const kept = savesFirst(trial) && recovery.lostSteps === 0 ? 1 : 0;
  return { seconds: recovery.trainedMs / 1_000, kept, waitsForPerson: false };
}

/** Whether the program writes a checkpoint when it is told to stop. Without, it loses nothing only by chance. */
const savesFirst = ({ fault, settings }: DrillTrial) => fault === 'drain' && settings === 'best';

function medianSeconds(trials: readonly DrillTrial[], fault: string): number | undefined {
  const sorted = trials
    .flatMap((trial) => (trial.fault === fault ? (trial.findings?.recovery?.trainedMs ?? []) : []))
    .sort((a, b) => a - b);
  return sorted.length > 0 ? sorted[Math.floor(sorted.length / 2)]! / 1_000 : undefined;
}

/** Of NCCL by default: a rank that waits for another one ends then. */
const COLLECTIVE_SECONDS = 600;
/** Kubernetes: a node is not ready 50 s after its last word, and its pods are deleted 300 s later. */
const EVICTED_SECONDS = 350;

interface Source {
  /** Before the system begins to recover as from a crash; a person must act where it never does. */
  readonly seconds: number | 'person';
  readonly note: string;
}

const NEVER = (why: string): Source => ({ seconds: 'person', note: `never by itself: ${why}` });
const TIMES_OUT: Source = {
  seconds: COLLECTIVE_SECONDS,
  note: 'nothing acts until the collectives time out (10 min by default)',
};
const OCCUPIED = NEVER('the pod stays Terminating, and its index is not given to another one');
const NOT_FAILED = NEVER(
  'the Job is Failed only when no pod is Terminating, and JobSet acts on nothing else',
);
const SECOND_POD: Source = {
  seconds: COLLECTIVE_SECONDS,
  note: 'the Job makes a second pod after 350 s; the others leave when their collectives time out',
};

/** What the sources of the systems say of kinds that the drill has not measured. */
const SOURCES: Readonly<Record<string, Readonly<Partial<Record<FaultKindName, Source>>>>> = {
  'signalbox\nshipped': {
    hang: TIMES_OUT,
    'node-silent': { seconds: EVICTED_SECONDS, note: 'when Kubernetes deletes its pods, after 350 s' },
  },
  'signalbox\nbest': {
    'node-silent': { seconds: 5 + 50, note: '`lostAfter: 5s`, counted from when the node is not ready' },
  },
  'training-operator\nshipped': { hang: TIMES_OUT, 'node-silent': OCCUPIED },
  'training-operator\nbest': { 'node-silent': OCCUPIED },
  'jobset\nshipped': { hang: TIMES_OUT, 'node-silent': SECOND_POD },
  'jobset\nbest': { 'node-silent': NOT_FAILED },
  'trainer\nshipped': { hang: TIMES_OUT, 'node-silent': SECOND_POD },
  'trainer\nbest': { 'node-silent': NOT_FAILED },
};

function calculatedKinds(system: string, settings: string, { crash }: Kinds): Kinds {
  if (!crash) return {};
  const known = Object.entries(SOURCES[`${system}\n${settings}`] ?? {});
  return Object.fromEntries(
    known.map(([kind, { seconds, note }]) => {
      const trials = crash.trials.map((trial) => ({
        seconds: trial.seconds + (seconds === 'person' ? 0 : seconds),
        kept: 0,
        waitsForPerson: seconds === 'person',
      }));
      return [kind, { trials, basis: 'calculated' as const, note }];
    }),
  );
}
