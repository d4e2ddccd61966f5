import fc from 'fast-check';
import { type Manifest, simulatedJob, withPolicy } from '../scenarios/manifests.ts';
import { MOVES, type Move, type MoveName, STEP_ANNOTATION } from './moves.ts';

/** A world from its first to its last step. */
export interface Schedule {
  /** Of everything that is left to chance. */
  readonly seed: number;
  readonly job: JobChoice;
  /** A job of somebody else runs beside it. */
  readonly hasBystander: boolean;
  readonly moves: readonly Move[];
}

export interface JobChoice {
  readonly hasMaster: boolean;
  readonly workers: number;
  readonly restartPolicy: string;
  readonly cleanPodPolicy: string | undefined;
  readonly policy: PolicyName;
  /** Something in the manifest that nobody means well with. */
  readonly poison: PoisonName;
}

/** In its limits, what is too long is a minute. */
export const POLICIES = {
  none: undefined,
  startUp: { failures: { classes: { startUp: { after: '60s' } } }, restart: { ladder: [{ scope: 'gang' }] } },
  recovery: { restart: { ladder: [{ scope: 'container', within: '60s' }, { scope: 'pod' }] } },
  nodeLost: { nodes: { lostAfter: '60s', avoidFor: '10m' }, restart: { ladder: [{ scope: 'gang' }] } },
  stall: { progress: { annotation: STEP_ANNOTATION, stalledAfter: '60s' } },
  stallByLog: { progress: { log: 'step=(.*)', stalledAfter: '60s' } },
} as const;

const POISONS = {
  none: {},
  /** A label by which signalbox knows of a pod until when it avoids nodes. */
  ownLabel: { labels: { 'signalbox.dev/avoids-until': '1', 'signalbox.dev/attempt': '9' } },
  /** Half of an emoji. */
  loneSurrogate: { labels: {}, annotations: { note: 'file-caf\udce9.txt' } },
} as const;

export type PoisonName = keyof typeof POISONS;

export type PolicyName = keyof typeof POLICIES;

export function manifestOf(choice: JobChoice, name: string, namespace: string): Manifest {
  const { hasMaster, workers, restartPolicy, cleanPodPolicy, policy, poison } = choice;
  const manifest = simulatedJob({
    name,
    namespace,
    master: hasMaster && { restartPolicy },
    worker: workers > 0 && { replicas: workers, restartPolicy },
    runPolicy: cleanPodPolicy ? { cleanPodPolicy } : undefined,
  });
  const chosen = POLICIES[policy];
  return poisoned(chosen ? withPolicy(manifest, chosen) : manifest, poison);
}

/** Adds to the metadata of all templates. */
function poisoned(manifest: Manifest, poison: PoisonName): Manifest {
  if (poison === 'none') return manifest;
  const add = (key: string, value: unknown): unknown =>
    key === 'template' ? { ...(value as object), metadata: POISONS[poison] } : value;
  return JSON.parse(JSON.stringify(manifest, add)) as Manifest;
}

const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values);

const jobs: fc.Arbitrary<JobChoice> = fc.record({
  hasMaster: fc.boolean(),
  workers: fc.integer({ min: 1, max: 2 }),
  restartPolicy: oneOf('Never', 'OnFailure', 'ExitCode'),
  cleanPodPolicy: oneOf(undefined, 'Running', 'All', 'None'),
  policy: oneOf(...(Object.keys(POLICIES) as PolicyName[])),
  poison: fc.oneof({ weight: 12, arbitrary: oneOf('none') }, oneOf('ownLabel', 'loneSurrogate')),
});

const names = Object.keys(MOVES) as MoveName[];
const moves: fc.Arbitrary<Move> = fc.record({
  does: fc.oneof(...names.map((name) => ({ weight: MOVES[name].weight, arbitrary: fc.constant(name) }))),
  which: fc.nat({ max: 63 }),
  steps: oneOf(0, 1, 3, 10, 30, 60),
});

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.noShrink(fc.nat({ max: 2 ** 31 - 1 })),
  job: jobs,
  hasBystander: oneOf(false, false, true),
  moves: fc.array(moves, { minLength: 1, maxLength: 12 }),
});
