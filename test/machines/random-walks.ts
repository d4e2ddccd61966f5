import fc from 'fast-check';
import { type Digest, type Endangered, EVICTIONS, MOST_FAILURES } from '../../contracts/digest.ts';
import { DEFAULT_POLICY, NODE_TROUBLES } from '../../contracts/policy.ts';
import type { FailureRule, Plan } from '../../contracts/training-job.ts';
import { formatRanges } from '../../language/index-ranges.ts';
import type { Effect } from '../../machines/model/effects.ts';
import {
  ACTIVE_DEADLINE,
  BACK_OFF,
  CHECKPOINT,
  FORCE_DELETE,
  HOLD,
  LOOK,
  NODE_LOST,
  RECOVERY,
  SPARES,
  STALL,
  START_UP,
} from '../../machines/model/job-context.ts';
import { ANCHOR, aFailure } from './builders.ts';
import { plans as livingPlans, maybe, oneOf, rarely } from './model-plans.ts';

/** Jobs, and words that they may hear in any order, whether anybody could say them or not. */

const IGNORED: FailureRule = { do: 'ignore', rule: 'spec.kind', evictedFails: true };

/** Also such as may wait for ever, e.g. for a launcher whose workers have failed. */
export const plans: fc.Arbitrary<Plan> = fc
  .record({
    plan: livingPlans,
    hostList: rarely(oneOf('addressed', 'ready')),
    minMember: rarely(fc.integer({ min: 1, max: 3 })),
    isIgnored: rarely(fc.constant(true)),
    spares: rarely(fc.integer({ min: 1, max: 2 })),
  })
  .map(({ plan, hostList, minMember, isIgnored, spares: count }) => ({
    ...plan,
    ...(count
      ? { policy: { ...(plan.policy ?? DEFAULT_POLICY), spares: { count, command: ['wait'] } } }
      : {}),
    ...(minMember ? { minMember } : {}),
    ...(hostList ? { hostList: { when: hostList, roles: ['Worker'] } } : {}),
    roles: plan.roles.map((role) =>
      isIgnored && role.name === 'Worker' ? { ...role, onFailure: IGNORED } : role,
    ),
  }));

const STATES = ['unscheduled', 'scheduled', 'ready', 'succeeded', 'failed', 'terminating', 'gone'] as const;
const pod = fc.record({
  // Mostly well, so that walks also get as far as success.
  state: fc.oneof({ weight: 3, arbitrary: oneOf('ready', 'succeeded') }, oneOf(...STATES)),
  exitCode: oneOf(undefined, 1, 137),
  trouble: rarely(oneOf(...NODE_TROUBLES)),
  isRestarted: fc.nat({ max: 5 }).map((dice) => dice === 5),
});

interface PodSeen {
  readonly state: (typeof STATES)[number];
  readonly exitCode: number | undefined;
  readonly trouble: Endangered['trouble'] | undefined;
  readonly isRestarted: boolean;
}

const facts = fc.record({
  pods: fc.array(pod, { minLength: 1, maxLength: 4 }),
  resourceVersion: fc.integer({ min: 0, max: 40 }),
  progress: rarely(fc.nat({ max: 9 })),
  isHung: rarely(fc.constant(true as const)),
  progressFault: rarely(fc.constant('the kubelet does not answer')),
  attempt: oneOf(1, 1, 1, 1, 0, 2),
  anchor: oneOf(ANCHOR, ANCHOR, ANCHOR, 'another'),
  hostList: rarely(fc.record({ pods: fc.nat({ max: 3 }), hash: oneOf('a', 'b') })),
  isAdmitted: fc.boolean(),
  isAcknowledged: rarely(fc.constant(true)),
  eviction: rarely(oneOf(...EVICTIONS)),
  waiting: maybe(oneOf('Unschedulable', 'ImagePullBackOff', 'Completed')),
  spares: rarely(fc.array(oneOf('ready', 'waiting', 'leaving', 'ended'), { minLength: 1, maxLength: 2 })),
  anchorDeleted: fc.nat({ max: 30 }).map((dice) => dice === 30),
});

/** A digest as the watcher would write it of such pods; it may be old, come twice, or be about something else. */
const digests: fc.Arbitrary<Digest> = facts.map((seen) => {
  const [head, ...workers] = seen.pods;
  const roles: readonly Role[] = [
    ['master', [head!]],
    ['launcher', [head!]],
    ['worker', workers],
  ];
  return {
    anchor: seen.anchor,
    anchorDeleted: seen.anchorDeleted,
    attempt: seen.attempt,
    resourceVersions: { pods: seen.resourceVersion, groups: {} },
    lastReportAt: seen.progress,
    noSteps: seen.isHung && 'no step since noon',
    progressFault: seen.progressFault,
    earlier: 0,
    restarts: seen.pods.filter(({ isRestarted }) => isRestarted).length,
    roles: Object.fromEntries(roles.map(([role, pods]) => [role, countOf(pods)])),
    failures: roles.flatMap(failuresOf),
    endangered: roles.flatMap(endangeredOf),
    restarted: roles.flatMap(restartedOf).slice(0, MOST_FAILURES),
    hostList: seen.hostList,
    gang: { scheduled: 'Unknown', admitted: seen.isAdmitted },
    acknowledged: seen.isAcknowledged,
    eviction: seen.eviction && { attempt: seen.attempt, reason: seen.eviction, message: 'for another' },
    progress:
      seen.progress === undefined ? undefined : { value: `step ${seen.progress}`, count: seen.progress },
    spares: seen.spares?.map((state, index) => ({
      pod: `spare-${index}`,
      uid: `${index}`,
      node: 'b',
      state,
    })),
    waiting: seen.waiting && [{ reason: seen.waiting, hasNode: true, pod: 'one', pods: 1 }],
  };
});

type Role = readonly [name: string, pods: readonly PodSeen[]];

function countOf(pods: readonly PodSeen[]) {
  const count = (wanted: string) => pods.filter(({ state }) => state === wanted).length;
  return {
    unscheduled: count('unscheduled'),
    scheduled: count('scheduled'),
    ready: count('ready'),
    succeeded: count('succeeded'),
    failed: count('failed'),
    terminating: count('terminating'),
    succeededIndices: formatRanges(
      pods.flatMap(({ state }, index) => (state === 'succeeded' ? [index] : [])),
    ),
    restarts: pods.filter(({ isRestarted }) => isRestarted).length || undefined,
  };
}

const failuresOf = ([role, pods]: Role) =>
  pods.flatMap(({ state, exitCode }, index) =>
    state === 'failed' ? [aFailure({ role, index, exitCode, node: 'a' })] : [],
  );

const endangeredOf = ([role, pods]: Role): Endangered[] =>
  pods.flatMap(({ trouble }, index) => (trouble ? [{ ...placeOf(role, index), trouble, since: 0 }] : []));

const restartedOf = ([role, pods]: Role) =>
  pods.flatMap(({ isRestarted }, index) => (isRestarted ? [{ ...placeOf(role, index), restarts: 1 }] : []));

function placeOf(role: string, index: number) {
  const { pod, uid } = aFailure({ role, index });
  return { pod, uid, role, index, node: 'a' };
}

const DEADLINES = [
  ACTIVE_DEADLINE,
  BACK_OFF,
  CHECKPOINT,
  FORCE_DELETE,
  HOLD,
  LOOK,
  NODE_LOST,
  RECOVERY,
  SPARES,
  STALL,
  START_UP,
] as const;

const EFFECTS: readonly Effect['type'][] = [
  'createGroup',
  'createAttempt',
  'launch',
  'publishHostList',
  'restoreServices',
  'keepSpares',
  'restorePods',
  'capture',
  'drain',
  'scale',
  'requestCheckpoint',
  'suspend',
  'cleanUp',
];

const ASKED = [
  'stop',
  'stop after a checkpoint',
  'suspend',
  'resume',
  'resume',
  'retryNow',
  'release',
  'hold',
  'extendDeadline',
] as const;

export type Move =
  | { readonly move: 'hear'; readonly digest: Digest }
  /** Of what is being done. */
  | {
      readonly move: 'answer';
      readonly resourceVersion: number;
      readonly finds: number;
      readonly leaves: boolean;
    }
  | { readonly move: 'fail' }
  /** Of something that nobody waits for any more. */
  | { readonly move: 'late answer'; readonly effect: Effect['type'] }
  | { readonly move: 'late failure'; readonly effect: Effect['type'] }
  | { readonly move: 'deadline'; readonly name: (typeof DEADLINES)[number] }
  | { readonly move: 'ask'; readonly what: (typeof ASKED)[number]; readonly seconds: number }
  | { readonly move: 'scale'; readonly workers: number }
  | { readonly move: 'change the policy' }
  | { readonly move: 'continue as new' };

const is = <const Name extends string>(move: Name) => fc.constant(move);

export const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ move: is('hear'), digest: digests }) },
  {
    weight: 14,
    arbitrary: fc.record({
      move: is('answer'),
      resourceVersion: fc.nat({ max: 20 }),
      finds: fc.nat({ max: 3 }),
      leaves: fc.nat({ max: 4 }).map((dice) => dice === 4),
    }),
  },
  { weight: 5, arbitrary: fc.record({ move: is('deadline'), name: oneOf(...DEADLINES) }) },
  {
    weight: 6,
    arbitrary: fc.record({ move: is('ask'), what: oneOf(...ASKED), seconds: oneOf(0, 30, 3600) }),
  },
  { weight: 2, arbitrary: fc.record({ move: is('scale'), workers: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ move: is('late answer'), effect: oneOf(...EFFECTS) }) },
  { weight: 1, arbitrary: fc.record({ move: is('late failure'), effect: oneOf(...EFFECTS) }) },
  { weight: 1, arbitrary: fc.record({ move: is('fail') }) },
  { weight: 1, arbitrary: fc.record({ move: is('change the policy') }) },
  { weight: 1, arbitrary: fc.record({ move: is('continue as new') }) },
);
