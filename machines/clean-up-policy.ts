import type { Cause, FinalPhase } from '../contracts/status.ts';
import type { CleanPodPolicy } from '../contracts/training-job.ts';
import type { CleanUpScope } from './job-events.ts';

/**
 * Which pods go at the end. cleanPodPolicy decides, with two exceptions: a stopped job keeps nothing, and neither does
 * one that could not be created; and a job that ran too long, or too often, must not run on because its pods are kept.
 */
export function cleanUpScope(
  phase: FinalPhase,
  cause: Cause | undefined,
  policy: CleanPodPolicy,
): CleanUpScope {
  if (phase === 'Stopped' || cause?.reason === 'ClusterRefused' || cause?.reason === 'NameTaken')
    return 'All';
  const mustEnd = cause?.reason === 'DeadlineExceeded' || cause?.reason === 'BackoffLimitExceeded';
  return mustEnd && policy === 'None' ? 'Running' : policy;
}
