import {
  type BackOffRules,
  DEFAULT_POLICY,
  type FailureClass,
  type FailureRules,
  type GangRules,
  type Policy,
  type ProgressRules,
  type SpareRules,
} from '../../contracts/policy.ts';
import { roleKey } from '../../contracts/roles.ts';
import type { PolicyFields } from './schema.ts';

type Fields = Required<PolicyFields>;

const { restart: RESTART, nodes: NODES, refusals: REFUSALS, evidence: EVIDENCE } = DEFAULT_POLICY;
/** Writing a checkpoint takes minutes. */
const CHECKPOINT_MS = 300_000;
/** Almost every image has it. */
const WAIT = ['sleep', 'infinity'];

/** Returns a valid document with its defaults filled in. */
export const normalisePolicy = ({ restart = {}, progress, checkpoint, ...others }: PolicyFields): Policy => ({
  restart: {
    ladder: restart.ladder?.map(({ within, ...rung }) => ({ ...rung, withinMs: within })) ?? RESTART.ladder,
    backOff: backOffOf(restart.backOff ?? {}),
    refundOnProgress: restart.refundOnProgress ?? RESTART.refundOnProgress,
    ...(restart.survivorGrace === undefined ? {} : { survivorGraceMs: restart.survivorGrace }),
  },
  failures: failuresOfPolicy(others.failures ?? {}),
  ...(progress ? { progress: progressOf(progress) } : {}),
  nodes: nodesOf(others.nodes ?? {}),
  ...(others.gang ? { gang: gangOf(others.gang) } : {}),
  ...(others.lane ? { lane: laneOf(others.lane) } : {}),
  // None is as absent, so that an amendment can remove them.
  ...(others.spares?.count ? { spares: sparesOf(others.spares) } : {}),
  refusals: { failAfterMs: others.refusals?.failAfter ?? REFUSALS.failAfterMs },
  evidence: { logLines: others.evidence?.logLines ?? EVIDENCE.logLines },
  // 0 means no hold, so that an amendment can remove it.
  ...(others.holdOnFailure ? { holdOnFailureMs: others.holdOnFailure } : {}),
  ...(checkpoint ? { checkpoint: checkpointOf(checkpoint) } : {}),
  scaleByRestart: others.scaleByRestart ?? DEFAULT_POLICY.scaleByRestart,
  waitForSidecars: others.waitForSidecars ?? DEFAULT_POLICY.waitForSidecars,
});

const gangOf = ({ placedWithin, otherwise = 'fail', lift }: Fields['gang']): GangRules => ({
  ...(lift === undefined ? {} : { lift }),
  ...(placedWithin === undefined ? {} : { placedWithinMs: placedWithin }),
  otherwise,
});

const laneOf = ({ name, priority = 0, runsFor }: Fields['lane']) => ({
  ...(name === undefined ? {} : { name }),
  priority,
  ...(runsFor === undefined ? {} : { runsForMs: runsFor }),
});

const sparesOf = ({ count, role, command = WAIT }: Fields['spares']): SpareRules => ({
  count,
  ...(role === undefined ? {} : { role: roleKey(role) }),
  command,
});

function backOffOf(given: NonNullable<Fields['restart']['backOff']>): BackOffRules {
  const { backOff } = RESTART;
  const initialMs = given.initial ?? backOff.initialMs;
  return {
    firstAtOnce: given.firstAtOnce ?? backOff.firstAtOnce,
    initialMs,
    factor: given.factor ?? backOff.factor,
    maxMs: given.max ?? Math.max(initialMs, backOff.maxMs),
    jitter: given.jitter ?? backOff.jitter,
    resetAfterMs: given.resetAfter ?? backOff.resetAfterMs,
  };
}

function failuresOfPolicy({ rules = [], classes = {} }: Fields['failures']): FailureRules {
  const after = classes.startUp?.after;
  return {
    rules: rules.map((rule) => (rule.roles ? { ...rule, roles: rule.roles.map(roleKey) } : rule)),
    classes: Object.fromEntries(Object.entries(classes).map(([name, given]) => [name, classOf(given)])),
    ...(after === undefined ? {} : { startUpAfterMs: after }),
  };
}

const classOf = ({ final, free, budget }: FailureClass): FailureClass => ({
  ...(final ? { final } : {}),
  ...(free ? { free } : {}),
  ...(budget === undefined ? {} : { budget }),
});

const progressOf = ({ stalledAfter, ...from }: Fields['progress']): ProgressRules => ({
  ...from,
  ...(stalledAfter === undefined ? {} : { stalledAfterMs: stalledAfter }),
});

const nodesOf = ({ lostAfter, troubles, avoidFor, avoidAtMost, forceDeleteAfter }: Fields['nodes']) => ({
  lostAfterMs: lostAfter,
  troubles: troubles ?? NODES.troubles,
  avoidForMs: avoidFor,
  avoidAtMost: avoidAtMost ?? NODES.avoidAtMost,
  forceDeleteAfterMs: forceDeleteAfter,
});

const checkpointOf = ({ within = CHECKPOINT_MS, ...how }: Fields['checkpoint']) => ({
  ...how,
  withinMs: within,
});
