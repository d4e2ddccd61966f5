import fc from 'fast-check';
import { oneOf } from '../machines/model-plans.ts';
import { type Manifest, simulatedJob, withPolicy } from '../scenarios/manifests.ts';
import { MOVES, type Move, type MoveName, STEP_ANNOTATION } from './moves.ts';
import { asGang, lanePolicy, type QueueChoice, queues } from './queues.ts';

/** A world from its first to its last step. */
export interface Schedule {
  /** Of everything that is left to chance. */
  readonly seed: number;
  readonly job: JobChoice;
  /** A job of somebody else runs beside it. */
  readonly hasBystander: boolean;
  /** What jobs wait in; without it nothing. */
  readonly queue?: QueueChoice;
  readonly moves: readonly Move[];
  /** It is of interest only if pods are left behind. */
  readonly leavesPods?: true;
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
const POLICIES = {
  none: undefined,
  startUp: { failures: { classes: { startUp: { after: '60s' } } }, restart: { ladder: [{ scope: 'gang' }] } },
  recovery: { restart: { ladder: [{ scope: 'container', within: '60s' }, { scope: 'pod' }] } },
  nodeLost: { nodes: { lostAfter: '60s', avoidFor: '10m' }, restart: { ladder: [{ scope: 'gang' }] } },
  spares: { spares: { count: 1 }, nodes: { lostAfter: '60s', avoidFor: '10m' } },
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

type PoisonName = keyof typeof POISONS;

type PolicyName = keyof typeof POLICIES;

export function manifestOf(
  choice: JobChoice,
  { name, namespace }: Manifest['metadata'],
  queue?: QueueChoice,
): Manifest {
  const { hasMaster, workers, restartPolicy, cleanPodPolicy, policy, poison } = choice;
  const manifest = simulatedJob({
    name,
    namespace,
    master: hasMaster && { restartPolicy },
    worker: workers > 0 && { replicas: workers, restartPolicy },
    runPolicy: cleanPodPolicy ? { cleanPodPolicy } : undefined,
  });
  const chosen = queue
    ? { ...POLICIES[policy], ...lanePolicy(queue, { name: queue.lane }) }
    : POLICIES[policy];
  const whole = poisoned(chosen ? withPolicy(manifest, chosen) : manifest, poison);
  return queue ? asGang(whole, queue) : whole;
}

/** Adds to the metadata of all templates. */
function poisoned(manifest: Manifest, poison: PoisonName): Manifest {
  if (poison === 'none') return manifest;
  const add = (key: string, value: unknown): unknown =>
    key === 'template' ? { ...(value as object), metadata: POISONS[poison] } : value;
  return JSON.parse(JSON.stringify(manifest, add)) as Manifest;
}

const jobs: fc.Arbitrary<JobChoice> = fc.record({
  hasMaster: fc.boolean(),
  workers: fc.integer({ min: 1, max: 2 }),
  restartPolicy: oneOf('Never', 'OnFailure', 'ExitCode'),
  cleanPodPolicy: oneOf(undefined, 'Running', 'All', 'None'),
  policy: oneOf(...(Object.keys(POLICIES) as PolicyName[])),
  poison: fc.oneof(
    { weight: 6, arbitrary: oneOf('none') },
    { weight: 2, arbitrary: oneOf('ownLabel', 'loneSurrogate') },
  ),
});

const names = Object.keys(MOVES) as MoveName[];

const OF_LANES: readonly MoveName[] = ['a lane is paused', 'a lane is faulty', 'a lane is open'];

/** What makes turns, places and lifts fail in the middle. */
const OF_QUEUES: readonly MoveName[] = [
  'the leader changes',
  'the watcher is killed',
  'a worker is killed',
  'an answer is lost',
  'a process is paused',
  'paused processes go on',
  'ana suspends it',
  'ana resumes it',
  'a program ends well',
];

const moveOf = (kinds: readonly MoveName[]): fc.Arbitrary<Move> =>
  fc.record({
    does: fc.oneof(...kinds.map((name) => ({ weight: MOVES[name].weight, arbitrary: fc.constant(name) }))),
    which: fc.nat({ max: 63 }),
    steps: oneOf(0, 1, 3, 10, 30, 60),
  });

/** What concerns the limit of a policy, with all that can blind its judge. */
const THEMES: Readonly<Record<PolicyName, readonly MoveName[]>> = {
  none: [
    'no pod can be placed',
    'pods can be placed',
    'a user deletes a pod',
    'a node is lost',
    'a node is back',
  ],
  startUp: ['a pod cannot start', 'pods can start'],
  recovery: ['a program fails', 'a pod cannot start', 'pods can start'],
  nodeLost: ['a node is lost', 'a node is back'],
  spares: ['a node is lost', 'a node is back', 'a pod is evicted', 'no pod can be placed'],
  stall: ['the program reports progress'],
  stallByLog: ['the program reports progress'],
};

const ALWAYS: readonly MoveName[] = ['all goes on', 'time goes by', 'a while goes by, in which all goes on'];
const BLINDNESS: readonly MoveName[] = ['a stream of the watcher goes blind', 'the watcher sees again'];

/**
 * Few kinds of moves in one schedule: what takes several of the same kinds is found sooner than among all of them ("swarm
 * testing", Groce et al. 2012).
 */
const kindsFor = ({ policy }: JobChoice, queue: QueueChoice | undefined): fc.Arbitrary<readonly MoveName[]> =>
  fc.oneof(
    fc.subarray(queue ? names : names.filter((name) => !OF_LANES.includes(name)), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.constant([...(queue ? OF_QUEUES : THEMES[policy]), ...BLINDNESS]),
  );

const movesFor = (job: JobChoice, queue: QueueChoice | undefined): fc.Arbitrary<readonly Move[]> =>
  kindsFor(job, queue).chain((kinds) =>
    fc.array(moveOf([...kinds, ...ALWAYS]), { minLength: 1, maxLength: 12 }),
  );

/** A schedule with a queue takes several times as long as one without. */
const maybeQueue = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: queues },
);

export const schedules: fc.Arbitrary<Schedule> = fc.tuple(jobs, maybeQueue).chain(([job, queue]) =>
  fc.record({
    seed: fc.noShrink(fc.nat({ max: 2 ** 31 - 1 })),
    job: fc.constant(job),
    hasBystander: queue ? fc.constant(false) : oneOf(false, false, true),
    queue: fc.constant(queue),
    moves: movesFor(job, queue),
  }),
);
