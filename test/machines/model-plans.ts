import fc from 'fast-check';
import { DEFAULT_POLICY, NODE_TROUBLES, RESTART_SCOPES } from '../../contracts/policy.ts';
import {
  CLEAN_POD_POLICIES,
  CLEAN_UP_TIMES,
  type FailureRule,
  type GangFence,
  JOB_RESTART_POLICIES,
  type Plan,
  type PlannedRole,
  type Reaction,
} from '../../contracts/training-job.ts';
import type { ClassRule, FailureClass, Policy, Rung } from '../../contracts/types.ts';
import { aPlan } from './builders.ts';

/** Every policy that a document may hold, and plans that have one or none. Written so that they shrink to the defaults. */

/** Absent half of the time. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Absent four times out of five. */
export const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
export const oneOf = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
const seldom = fc.nat({ max: 4 }).map((dice) => dice === 4);
const times = oneOf(1_000, 10_000, 60_000, 600_000);

type Bounds = Omit<Rung, 'scope'>;
const bounds: fc.Arbitrary<Bounds> = fc.record({
  times: maybe(fc.integer({ min: 1, max: 3 })),
  withinMs: rarely(times),
});

/** Scopes go up, each is there once. */
const ladder: fc.Arbitrary<readonly Rung[]> = fc
  .tuple(fc.subarray([...RESTART_SCOPES], { minLength: 1 }), fc.array(bounds, { minLength: 5, maxLength: 5 }))
  .map(([scopes, limits]) => scopes.map((scope, index) => ({ scope, ...limits[index] })));

const CLASSES = ['infrastructure', 'startUp', 'userCode', 'stalled', 'mine'] as const;
const classes: fc.Arbitrary<Readonly<Record<string, FailureClass>>> = fc
  .array(
    fc.tuple(
      oneOf(...CLASSES),
      fc.oneof(
        fc.nat({ max: 3 }).map((budget): FailureClass => ({ budget })),
        fc.constant<FailureClass>({ free: true }),
        fc.constant<FailureClass>({ final: true }),
      ),
    ),
    { maxLength: 3 },
  )
  .map((entries) => Object.fromEntries(entries));

const rules: fc.Arbitrary<readonly ClassRule[]> = fc.array(
  fc.record({
    class: oneOf('mine', 'userCode', 'infrastructure'),
    exitCodes: maybe(oneOf([[1, 1]] as const, [[128, 255]] as const)),
    pattern: maybe(fc.constant('CUDA error')),
    reasons: rarely(oneOf(['Evicted'], ['Error'])),
    roles: rarely(fc.constant(['worker'])),
  }),
  { maxLength: 2 },
);

const backOff = fc.record({
  firstAtOnce: oneOf(false, true),
  initialMs: oneOf(10_000, 0, 1_000),
  factor: oneOf(2, 1),
  maxMs: fc.constant(300_000),
  jitter: oneOf(0, 0.2),
  resetAfterMs: oneOf(600_000, 60_000),
});

const checkpoint = oneOf(
  { signal: 'SIGTERM' as const, withinMs: 60_000 },
  { file: '/signalbox/checkpoint', withinMs: 60_000 },
);

export const policies: fc.Arbitrary<Policy> = fc
  .record({
    ladder: fc.oneof(fc.constant(DEFAULT_POLICY.restart.ladder), ladder),
    backOff: fc.oneof(fc.constant(DEFAULT_POLICY.restart.backOff), backOff),
    refundOnProgress: seldom,
    rules,
    classes,
    startUpAfterMs: rarely(times),
    progress: fc.oneof(
      rarely(times).map((stalledAfterMs) => ({ annotation: 'ml/step', stalledAfterMs })),
      fc.constant({ onHang: 'restart' as const }),
    ),
    nodes: fc.record({
      lostAfterMs: maybe(times),
      troubles: oneOf(DEFAULT_POLICY.nodes.troubles, NODE_TROUBLES),
      avoidForMs: rarely(times),
      avoidAtMost: fc.integer({ min: 1, max: 2 }),
      forceDeleteAfterMs: rarely(times),
      waitForSilent: rarely(fc.constant(true as const)),
    }),
    holdOnFailureMs: rarely(times),
    checkpoint: maybe(checkpoint),
    scaleByRestart: fc.boolean(),
  })
  .map(({ ladder, backOff, refundOnProgress, rules, classes, startUpAfterMs, ...others }) => ({
    restart: { ladder, backOff, refundOnProgress },
    failures: { rules, classes, startUpAfterMs },
    evidence: DEFAULT_POLICY.evidence,
    refusals: DEFAULT_POLICY.refusals,
    waitForSidecars: DEFAULT_POLICY.waitForSidecars,
    ...others,
  }));

/** What kinds say of workers that fail: those whose failures are ignored do not decide alone, but for their last one. */
const IGNORED: FailureRule = { do: 'ignore', rule: 'spec.enableDynamicWorker: true', lastFails: true };
const onFailure = rarely<FailureRule>(
  oneOf(IGNORED, { do: 'fail', rule: 'spec.kind' }, { do: 'replace', rule: 'spec.kind' }),
);

const RULE = 'spec.kind: says so';
const RESTARTS = ['restartPod', 'restartRole', 'restartGang'] as const;
const reactions: fc.Arbitrary<readonly Reaction[]> = fc.array(
  fc.record({
    on: oneOf('failed', 'gone', 'succeeded'),
    exitCode: rarely(fc.constant(1)),
    do: oneOf(...(['ignore', 'replace', 'suspend', 'stop', 'complete'] as const), ...RESTARTS),
    rule: fc.constant(RULE),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Most of them such as let a job go on. */
const restartPolicy = oneOf('OnFailure', 'ExitCode', ...JOB_RESTART_POLICIES);
const shape = fc.record({
  head: oneOf('none', 'master', 'launcher'),
  workers: fc.integer({ min: 1, max: 3 }),
  restartPolicies: fc.tuple(restartPolicy, restartPolicy),
  onFailure,
  reactions: rarely(reactions),
  success: fc.record({ pods: maybe(fc.constant(1)), atEnd: fc.nat({ max: 3 }), ofEachRole: fc.boolean() }),
  restarts: rarely(fc.nat({ max: 3 })),
  isElastic: seldom,
  backoffLimit: maybe(fc.nat({ max: 4 })),
  cleanPodPolicy: oneOf(...CLEAN_POD_POLICIES, ...CLEAN_UP_TIMES),
  deadline: rarely(fc.constant(60)),
  isSuspended: fc.nat({ max: 19 }).map((dice) => dice === 19),
  fence: oneOf<GangFence | undefined>('port', 'unknown', undefined),
  policy: maybe(policies),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

export const plans: fc.Arbitrary<Plan> = shape.map(planOf);

function planOf({ head, workers, restartPolicies, backoffLimit, deadline, policy, ...more }: Shape): Plan {
  const [ofHead, ofWorkers] = restartPolicies;
  const plan = aPlan().cleanPodPolicy(more.cleanPodPolicy);
  if (head === 'master') plan.master(ofHead);
  if (head === 'launcher') plan.launcher({ restartPolicy: ofHead });
  const { reactions, success, restarts } = more;
  plan.workersWith(workers, {
    ...{ restartPolicy: ofWorkers, ...kindOf(head, workers, more) },
    ...(reactions ? { reactions } : {}),
  });
  if (backoffLimit !== undefined) plan.backoffLimit(backoffLimit);
  if (deadline !== undefined) plan.deadline(deadline);
  if (more.isSuspended) plan.suspended();
  return {
    ...plan.build(),
    fence: more.fence,
    ...(policy ? { policy } : {}),
    // A job whose failed pods stay must say when it has ended.
    ...(reactions ? { success: { ...success, rule: RULE } } : {}),
    ...(restarts === undefined ? {} : { restartLimit: { most: restarts, rule: RULE } }),
  };
}

/** A launcher waits for all its workers, so that none of them may be done without. */
function kindOf(
  head: Shape['head'],
  workers: number,
  { onFailure, isElastic }: Pick<Shape, 'onFailure' | 'isElastic'>,
): Partial<PlannedRole> {
  if (head === 'launcher') return isElastic ? { scales: { min: 1 } } : {};
  if (isElastic) return { scales: { min: 1 }, enough: Math.max(1, workers - 1) };
  return onFailure ? { onFailure } : {};
}
