import type { PodFailure } from '../../contracts/digest.ts';
import { reasonText } from './reason-text.ts';

/** Describes a pod that was stopped before its program had ended: by what, and its exit code. */
export function describeInterruption({ pod, node, exitCode, signal, reason, message }: PodFailure): string {
  const where = node ? `${pod} on node ${node}` : pod;
  const by = signal ? `, signal ${signal}` : '';
  const how = exitCode === undefined ? 'no exit code was recorded' : `exit code ${exitCode}${by}`;
  return `${where} ${VERBS[reason] ?? 'was stopped from outside'}${reasonText({ reason, message })}; ${how}`;
}

/** By Kubernetes' reason for the interruption. */
const VERBS: Readonly<Record<string, string>> = {
  Deleted: 'was deleted',
  EvictionByEvictionAPI: 'was evicted',
  Evicted: 'was evicted',
  DeletionByTaintManager: 'was evicted because of a taint on its node',
  PreemptionByScheduler: 'was preempted',
  Preempting: 'was preempted',
  DeletionByPodGC: 'was removed with its node',
  TerminationByKubelet: 'was stopped by its node',
  Terminated: 'was stopped by its node',
  Shutdown: 'was stopped by its node',
  NodeShutdown: 'was stopped by its node',
  NodeLost: 'was lost with its node',
};
