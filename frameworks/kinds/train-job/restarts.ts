import type { PlannedRole, Reaction } from '../../../contracts/training-job.ts';
import { DEFAULT_BACKOFF_LIMIT, DEFAULT_RESTART_POLICY, type PodFailureRule } from './spec/job-spec.ts';
import { JOBS_PATH, type ReplicatedJob, type RuntimeSpec, type SetFailureRule } from './spec/runtime.ts';

type Restarts = Pick<PlannedRole, 'reactions' | 'inPlace'>;

/**
 * What JobSet and the Job controller do when a pod fails, as rules: podFailurePolicy and backoffLimit say when the Job of a
 * replicated job has failed, failurePolicy whether all of them restart then.
 */
export function rulesOfFailures(job: ReplicatedJob, runtime: RuntimeSpec): Restarts {
  const of = { job, runtime };
  const gone: Reaction = {
    ...{ on: 'gone', do: 'replace' },
    rule: `${pathOf(of)}: a pod that is deleted or evicted comes back`,
  };
  return isRestartedInPlace(job)
    ? { reactions: [gone, ...ofWornPods(of)], inPlace: inPlaceOf(of) }
    : { reactions: [gone, ...ofExitCodes(of), ...ofFailedPods(of)] };
}

interface JobOfRuntime {
  readonly job: ReplicatedJob;
  readonly runtime: RuntimeSpec;
}

const pathOf = ({ job }: JobOfRuntime) => `${JOBS_PATH}[${job.name}].template.spec`;

const isRestartedInPlace = ({ template }: ReplicatedJob): boolean =>
  ((template.spec.template.spec as { restartPolicy?: string }).restartPolicy ?? DEFAULT_RESTART_POLICY) ===
  'OnFailure';

const limitOf = ({ job }: JobOfRuntime): number => job.template.spec.backoffLimit ?? DEFAULT_BACKOFF_LIMIT;

/** The Job controller lets the last restart be the failure, unless there may be none. */
const inPlaceOf = (of: JobOfRuntime) => ({
  most: Math.max(0, limitOf(of) - 1),
  rule: `${pathOf(of)}.backoffLimit: ${limitOf(of)}`,
});

/** A pod whose containers the kubelet restarts fails only if it cannot: it is made anew. */
const ofWornPods = (of: JobOfRuntime): readonly Reaction[] => [
  ...whenJobFails(of, 'BackoffLimitExceeded').map((reaction) => ({ ...reaction, on: 'worn' as const })),
  ...ofFailedPods(of),
];

function ofFailedPods(of: JobOfRuntime): readonly Reaction[] {
  const limit = limitOf(of);
  const rule = `${pathOf(of)}.backoffLimit: ${limit}`;
  const again: Reaction = { on: 'failed', do: 'restartPod', atMost: limit, rule };
  return [...(limit > 0 ? [again] : []), ...whenJobFails(of, 'BackoffLimitExceeded')];
}

/** The first rule that fits an exit code decides; those that no rule names are like each other. */
function ofExitCodes(of: JobOfRuntime): readonly Reaction[] {
  const rules = of.job.template.spec.podFailurePolicy?.rules ?? [];
  const codes = new Set(rules.flatMap(({ onExitCodes }) => onExitCodes?.values ?? []));
  const named = [...codes].flatMap((exitCode) =>
    ofRule(of, exitCode).map((reaction) => ({ ...reaction, exitCode })),
  );
  return [...named, ...ofRule(of, undefined)];
}

/** Returns what the rules make of an exit code, undefined for one that they do not name; nothing if they leave it to backoffLimit. */
function ofRule(of: JobOfRuntime, exitCode: number | undefined): readonly Reaction[] {
  const rules = of.job.template.spec.podFailurePolicy?.rules ?? [];
  const index = rules.findIndex((rule) => fits(rule, exitCode));
  const rule = rules[index];
  if (!rule || rule.action === 'Count') return exitCode === undefined ? [] : ofFailedPods(of);
  const path = `${pathOf(of)}.podFailurePolicy.rules[${index}]: ${rule.action}`;
  if (rule.action === 'Ignore') return [{ on: 'failed', do: 'replace', rule: path }];
  return whenJobFails(of, 'PodFailurePolicy').map((reaction) => ({
    ...reaction,
    rule: reaction.do === 'fail' ? `${path}; ${reaction.rule}` : reaction.rule,
  }));
}

function fits({ onExitCodes }: PodFailureRule, exitCode: number | undefined): boolean {
  if (!onExitCodes) return false;
  const isNamed = exitCode !== undefined && onExitCodes.values.includes(exitCode);
  return onExitCodes.operator === 'In' ? isNamed : !isNamed;
}

type JobFailure = 'BackoffLimitExceeded' | 'PodFailurePolicy';

/** The rules by which a whole job ends or restarts are called after this field. */
export const FAILURE_POLICY = 'spec.runtime.template.spec.failurePolicy';

/** Returns what failurePolicy makes of a failed Job. */
function whenJobFails({ job, runtime }: JobOfRuntime, reason: JobFailure): readonly Reaction[] {
  const { failurePolicy } = runtime.template.spec;
  if (!failurePolicy) return [{ on: 'failed', do: 'fail', rule: `${FAILURE_POLICY}: none` }];
  const { maxRestarts = 0, rules = [] } = failurePolicy;
  const index = rules.findIndex((rule) => isFor(rule, job, reason));
  const action = rules[index]?.action ?? 'RestartJobSet';
  const rule = rules[index] ? `${FAILURE_POLICY}.rules[${index}]: ${action}` : undefined;
  if (action === 'FailJobSet') return [{ on: 'failed', do: 'fail', rule: rule! }];
  if (action === 'RestartJobSetAndIgnoreMaxRestarts')
    return [{ on: 'failed', do: 'restartGang', rule: rule! }];
  const limit = `${FAILURE_POLICY}.maxRestarts: ${maxRestarts}`;
  return [
    ...(maxRestarts > 0
      ? [{ on: 'failed' as const, do: 'restartGang' as const, atMost: maxRestarts, rule: limit }]
      : []),
    { on: 'failed', do: 'fail', rule: limit },
  ];
}

const isFor = (
  { onJobFailureReasons = [], targetReplicatedJobs = [] }: SetFailureRule,
  { name }: ReplicatedJob,
  reason: JobFailure,
): boolean =>
  (onJobFailureReasons.length === 0 || onJobFailureReasons.includes(reason)) &&
  (targetReplicatedJobs.length === 0 || targetReplicatedJobs.includes(name));
