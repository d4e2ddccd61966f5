import fc from 'fast-check';
import type { Digest } from '../../contracts/digest.ts';
import {
  CLEAN_POD_POLICIES,
  JOB_RESTART_POLICIES,
  PADDLE_CLEAN_POD_POLICIES,
  type Plan,
} from '../../contracts/training-job.ts';
import { ANCHOR, aFailure, aPlan } from './builders.ts';

const policy = fc.constantFrom(...JOB_RESTART_POLICIES);
export const plans: fc.Arbitrary<Plan> = fc
  .record({
    hasMaster: fc.boolean(),
    workers: fc.integer({ min: 1, max: 3 }),
    policies: fc.tuple(policy, policy),
    backoffLimit: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    cleanPodPolicy: fc.constantFrom(...CLEAN_POD_POLICIES, ...PADDLE_CLEAN_POD_POLICIES),
    isHeld: fc.boolean(),
    onFailure: fc.option(fc.constantFrom('ignore' as const, 'replace' as const, 'fail' as const), {
      nil: undefined,
    }),
    roster: fc.option(fc.constantFrom('addressed' as const, 'ready' as const), { nil: undefined }),
  })
  .map(({ hasMaster, workers, policies, backoffLimit, cleanPodPolicy, isHeld, onFailure, roster }) => {
    const after = isHeld ? ['Worker'] : undefined;
    const master = { name: 'Master', restartPolicy: policies[0], after };
    const roles = hasMaster ? aPlan().launcher(master) : aPlan();
    if (roster) roles.listing({ when: roster, roles: ['Worker'] });
    const rule = onFailure && { do: onFailure, rule: 'spec.kind' };
    const plan = roles
      .workersWith(workers, { restartPolicy: policies[1], onFailure: rule })
      .cleanPodPolicy(cleanPodPolicy)
      .deadline(60);
    return backoffLimit === undefined ? plan.build() : plan.backoffLimit(backoffLimit).build();
  });

const STATES = ['unplaced', 'placed', 'ready', 'succeeded', 'failed', 'leaving', 'gone'] as const;
const pod = fc.record({
  // Mostly well, so that walks also get as far as success.
  state: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('ready', 'succeeded') },
    fc.constantFrom(...STATES),
  ),
  exitCode: fc.constantFrom(undefined, 1, 137),
});

type PodSeen = { state: (typeof STATES)[number]; exitCode: number | undefined };

/** A digest as the watcher would write it of such pods; it may be old, come twice, or be about something else. */
const digests: fc.Arbitrary<Digest> = fc
  .record({
    pods: fc.array(pod, { minLength: 1, maxLength: 4 }),
    revision: fc.integer({ min: 0, max: 40 }),
    restarts: fc.integer({ min: 0, max: 3 }),
    attempt: fc.constantFrom(1, 1, 1, 1, 0, 2),
    anchor: fc.constantFrom(ANCHOR, ANCHOR, ANCHOR, 'another'),
    roster: fc.option(fc.record({ pods: fc.integer({ min: 0, max: 3 }), hash: fc.constantFrom('a', 'b') }), {
      nil: undefined,
    }),
    gang: fc.record({ scheduled: fc.constant('Unknown' as const), admitted: fc.boolean() }),
    anchorDeleted: fc.integer({ min: 0, max: 30 }).map((dice) => dice === 0),
  })
  .map(({ pods: [master, ...workers], revision, ...rest }) => ({
    ...rest,
    revision: { pods: revision, groups: 0 },
    earlier: 0,
    roles: { master: countOf([master!]), worker: countOf(workers) },
    failures: [...failuresOf('master', [master!]), ...failuresOf('worker', workers)],
  }));

export type Move =
  | { readonly move: 'hear'; readonly digest: Digest }
  | { readonly move: 'answer' | 'fail'; readonly revision: number }
  | {
      readonly move:
        | 'stop'
        | 'suspend'
        | 'resume'
        | 'deadline'
        | 'back-off'
        | 'late answer'
        | 'continue as new';
    };

const revision = fc.integer({ min: 0, max: 20 });
const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: digests.map((digest) => ({ move: 'hear' as const, digest })) },
  { weight: 6, arbitrary: revision.map((at) => ({ move: 'answer' as const, revision: at })) },
  { weight: 1, arbitrary: revision.map((at) => ({ move: 'fail' as const, revision: at })) },
  { weight: 1, arbitrary: fc.constant({ move: 'stop' as const }) },
  { weight: 1, arbitrary: fc.constant({ move: 'suspend' as const }) },
  { weight: 2, arbitrary: fc.constant({ move: 'resume' as const }) },
  { weight: 1, arbitrary: fc.constant({ move: 'deadline' as const }) },
  { weight: 2, arbitrary: fc.constant({ move: 'back-off' as const }) },
  { weight: 1, arbitrary: fc.constant({ move: 'late answer' as const }) },
  { weight: 1, arbitrary: fc.constant({ move: 'continue as new' as const }) },
);
export const walks = fc.array(moves, { minLength: 1, maxLength: 14 });

function countOf(pods: readonly PodSeen[]) {
  const count = (wanted: string) => pods.filter(({ state }) => state === wanted).length;
  return {
    unplaced: count('unplaced'),
    placed: count('placed'),
    ready: count('ready'),
    succeeded: count('succeeded'),
    failed: count('failed'),
    leaving: count('leaving'),
    done: pods.flatMap(({ state }, index) => (state === 'succeeded' ? [index] : [])).join(','),
  };
}

const failuresOf = (role: string, pods: readonly PodSeen[]) =>
  pods.flatMap(({ state, exitCode }, index) =>
    state === 'failed' ? [aFailure({ role, index, exitCode })] : [],
  );
