import type { ClusterClient } from '../../cluster/client.ts';
import type { LogSource } from '../../cluster/follow-log.ts';
import { logLines } from '../../cluster/log-lines.ts';
import { compareTimes } from '../../cluster/log-position.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import { podReport } from '../pods/pod-report.ts';
import type { ProgressTracker } from './progress-tracker.ts';

/** Checks whether all reports of a program are read: a stream that delivers nothing may be dead. */

/**
 * Result of a check: for how long the program has reported nothing, why it cannot be read, or `behind` if it has
 * reported something that is not read yet.
 */
export type SilenceCheck = 'behind' | { readonly silentMs?: number; readonly progressFault?: string };

export interface ReportingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Compares with the pod in the API server. A pod that is gone has nothing more to read. */
export async function hasReadAnnotations(
  cluster: Pick<ClusterClient, 'find'>,
  { namespace, name, uid }: ReportingPod,
  { tracker, rules }: { readonly tracker: ProgressTracker; readonly rules: WatchRules },
): Promise<boolean> {
  const pod = await cluster.find(PODS, namespace, name);
  const report = pod?.metadata.uid === uid ? podReport(pod) : undefined;
  return !report || tracker.hasRead(report, rules);
}

/** Compares with the log's last line; `readTo`: timestamp of the last line read. */
export async function hasReadLog(
  cluster: Pick<ClusterClient, 'log'>,
  { namespace, pod, container }: LogSource,
  { readTo, signal }: { readonly readTo: string | undefined; readonly signal: AbortSignal },
): Promise<boolean> {
  const options = { container, tailLines: 1, timestamps: true, signal };
  let last: string | undefined;
  for await (const { time } of logLines(await cluster.log(namespace, pod, options))) last = time;
  return last === undefined || (readTo !== undefined && compareTimes(last, readTo) <= 0);
}
