import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import type { Cause, FinalPhase } from '../../contracts/status.ts';
import type { CleanPodPolicy } from '../../contracts/training-job.ts';

/**
 * Which pods go at the end. cleanPodPolicy decides, with two exceptions: a stopped job keeps nothing, and neither does
 * one that could not be created; and a job that ran too long, or too often, or that lacks a pod or nobody leads any more,
 * must not run on because its pods are kept.
 */
export function cleanUpScope(
  phase: FinalPhase,
  cause: Cause | undefined,
  { policy, wasCreated, neverRan = false }: Circumstances,
): CleanUpScope {
  if (phase === 'Stopped' || (CANNOT_GO_ON.has(cause?.reason) && !wasCreated)) return 'Everything';
  const scope = SCOPES[policy][phase];
  return (MUST_END.has(cause?.reason) || neverRan) && scope === 'None' ? 'Running' : scope;
}

export interface Circumstances {
  readonly policy: CleanPodPolicy;
  /** All objects of the job have been made. */
  readonly wasCreated: boolean;
  /** Pods are left that have found no node, of a job that could do without them: they must not begin now. */
  readonly neverRan?: boolean;
}

type Scopes = Readonly<Record<Exclude<FinalPhase, 'Stopped'>, CleanUpScope>>;

/** Kubeflow's policies are the same for every end; paddle-operator's are named after the end. */
const SCOPES: Readonly<Record<CleanPodPolicy, Scopes>> = {
  All: { Completed: 'All', Failed: 'All' },
  Running: { Completed: 'Running', Failed: 'Running' },
  None: { Completed: 'None', Failed: 'None' },
  Always: { Completed: 'All', Failed: 'All' },
  Never: { Completed: 'None', Failed: 'None' },
  OnCompletion: { Completed: 'All', Failed: 'None' },
  OnFailure: { Completed: 'None', Failed: 'All' },
};

type Reasons = ReadonlySet<ReasonCode | undefined>;

const CANNOT_GO_ON: Reasons = new Set(['ClusterRefused', 'NameTaken', 'EngineFault']);
const MUST_END: Reasons = new Set([
  ...CANNOT_GO_ON,
  'DeadlineExceeded',
  'BackoffLimitExceeded',
  'FailureBudgetExceeded',
  'RestartsExhausted',
  'StartUpFailed',
  'Stalled',
  'PodEvicted',
]);
