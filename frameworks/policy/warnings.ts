import { DEFAULT_POLICY, FAILURE_CLASSES } from '../../contracts/policy.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { Policy, Rung } from '../../contracts/types.ts';
import { isOneOf } from '../../language/one-of.ts';
import { POLICY_PATH } from './document.ts';

/** Returns warnings about settings that have no effect for a job with these roles. */
export function policyWarnings(policy: Policy, roles: readonly PlannedRole[]): string[] {
  const warnings = [
    ...ladderWarnings(policy, roles),
    ...ruleWarnings(policy),
    ...classWarnings(policy),
    ...progressWarnings(policy),
    ...nodeWarnings(policy),
    ...spareWarnings(policy),
    ...holdWarnings(policy, roles),
  ];
  return warnings.map((warning) => `${POLICY_PATH}.${warning}`);
}

function ladderWarnings(policy: Policy, roles: readonly PlannedRole[]): string[] {
  const { ladder } = policy.restart;
  if (ladder === DEFAULT_POLICY.restart.ladder) return [];
  return [
    ...containerWarnings(ladder, roles),
    ...(skipsRungs(policy) ? [] : ladder.slice(0, -1).flatMap(unreachedAfter)),
    ...(endsWithFirstFailure(policy.failures, roles)
      ? [
          'restart.ladder: a failed pod ends the job, because every role has restartPolicy Never and no class of failures is free or has a budget; only lost pods and stalled jobs are restarted',
        ]
      : []),
  ];
}

function containerWarnings(ladder: readonly Rung[], roles: readonly PlannedRole[]): string[] {
  const index = ladder.findIndex(({ scope }) => scope === 'container');
  if (index < 0 || roles.some(isRestartedInPlace)) return [];
  return [
    `restart.ladder[${index}]: no effect; only containers of roles with restartPolicy OnFailure or Always are restarted in place, and no role has those`,
  ];
}

const isRestartedInPlace = ({ restartPolicy }: PlannedRole) => /^(OnFailure|Always)$/.test(restartPolicy);

/** A kubelet restarts a program before a user could look at it. */
function holdWarnings(
  { holdOnFailureMs, restart: { ladder } }: Policy,
  roles: readonly PlannedRole[],
): string[] {
  const isInPlace = ladder.some(({ scope }) => scope === 'container') && roles.some(isRestartedInPlace);
  if (holdOnFailureMs === undefined || !isInPlace) return [];
  return [
    'holdOnFailure: no effect on programs that the kubelet restarts in place; without the rung container in restart.ladder, failed pods of roles with restartPolicy OnFailure are held',
  ];
}

/** Some failures need at least a restart of the gang, even if smaller rungs are not used up. */
const skipsRungs = (policy: Policy) => mayStall(policy) || policy.failures.startUpAfterMs !== undefined;

const mayStall = ({ progress }: Policy) =>
  progress?.stalledAfterMs !== undefined || progress?.onHang === 'restart';

/** Containers are an exception: a pod that fails as a whole always moves on to the next rung. */
function unreachedAfter({ scope, times, withinMs }: Rung, index: number): string[] {
  if (scope === 'container' || times !== undefined || withinMs !== undefined) return [];
  return [
    `restart.ladder[${index + 1}]: never reached; ${scope}, the rung before it, has neither times nor within`,
  ];
}

function endsWithFirstFailure({ classes }: Policy['failures'], roles: readonly PlannedRole[]): boolean {
  const isFatal = ({ restartPolicy, onFailure }: PlannedRole) =>
    onFailure ? onFailure.do === 'fail' : restartPolicy === 'Never';
  const isSpared = Object.values(classes).some(({ free, budget }) => free || budget);
  return roles.every(isFatal) && !isSpared;
}

function ruleWarnings({ failures: { rules, classes }, evidence }: Policy): string[] {
  return rules.flatMap(({ class: name, pattern }, index) => [
    ...(Object.hasOwn(classes, name) || isOneOf(FAILURE_CLASSES, name)
      ? []
      : [
          `failures.rules[${index}].class: failures.classes has no entry for ${name}, so its failures are treated like all others`,
        ]),
    ...(pattern !== undefined && evidence.logLines === 0
      ? [
          `failures.rules[${index}].pattern: searched only in termination messages, because evidence.logLines is 0`,
        ]
      : []),
  ]);
}

/** Warns about classes whose failures occur only if a time limit is set. */
function classWarnings(policy: Policy): string[] {
  const { rules, classes, startUpAfterMs } = policy.failures;
  const isNamed = (name: string) => rules.some((rule) => rule.class === name);
  const hasNone = (name: string, occurs: boolean) =>
    Object.hasOwn(classes, name) && !occurs && !isNamed(name);
  return [
    ...(hasNone('startUp', startUpAfterMs !== undefined)
      ? ['failures.classes.startUp: no effect without after: pods may take any time to start']
      : []),
    ...(hasNone('stalled', mayStall(policy))
      ? [
          'failures.classes.stalled: no effect without progress.stalledAfter or progress.onHang: restart: the job may take any time',
        ]
      : []),
  ];
}

const progressWarnings = ({ restart, progress }: Policy): string[] =>
  restart.refundOnProgress && !(progress?.log ?? progress?.annotation)
    ? [
        'restart.refundOnProgress: no effect without progress.log or progress.annotation: the job’s progress is not followed',
      ]
    : [];

const nodeWarnings = ({ nodes }: Policy): string[] =>
  nodes.lostAfterMs === undefined && nodes.troubles !== DEFAULT_POLICY.nodes.troubles
    ? ['nodes.troubles: no effect without nodes.lostAfter: no pod counts as lost because of its node']
    : [];

/** A node that falls silent is what spares are for most. */
const spareWarnings = ({ spares, nodes }: Policy): string[] =>
  spares && nodes.lostAfterMs === undefined
    ? [
        'spares: without nodes.lostAfter used only for pods that are evicted, preempted or deleted; Kubernetes deletes those of a silent node after 5 min',
      ]
    : [];
