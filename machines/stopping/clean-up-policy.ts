import { type CleanUpScope, MUST_END } from '../../contracts/clean-up.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import type { CleanPodPolicy } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';

/**
 * Returns which pods are removed at the end. cleanPodPolicy decides, with two exceptions. A stopped job, and one that
 * could not be created, keep nothing. A job that exceeded a limit, stalled, lost or lacks a pod, whose program a
 * kubelet would restart for ever, or that the engine can no longer manage must not continue because its pods are kept.
 */
export function cleanUpScope(
  phase: FinalPhase,
  cause: Cause | undefined,
  { policy, wasCreated, neverRan = false, isRestarted = false }: Circumstances,
): CleanUpScope {
  if (phase === 'Stopped' || (CANNOT_GO_ON.has(cause?.reason) && !wasCreated)) return 'Everything';
  const scope = SCOPES[policy][phase];
  const mustEnd = MUST_END.has(cause?.reason) || neverRan || isRestarted;
  return mustEnd && scope === 'None' ? 'Running' : scope;
}

interface Circumstances {
  readonly policy: CleanPodPolicy;
  /** All objects of the job were created. */
  readonly wasCreated: boolean;
  /** The job could spare pods that still have no node: they must not start now. */
  readonly neverRan?: boolean;
  /** A program that ended the job is restarted in place. */
  readonly isRestarted?: boolean;
}

type Scopes = Readonly<Record<Exclude<FinalPhase, 'Stopped'>, CleanUpScope>>;

/** The policies of Kubeflow are the same for every end; those of paddle-operator name the end. */
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
