import { PODS } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { UNFINISHED } from '../../../contracts/pod.ts';
import { addAmounts, formatAmounts, NOTHING, podRequests } from '../../../contracts/pod-requests.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { namedJob } from '../observe/recorded-job.ts';

/** Pods of an ended job that have not ended. */
export interface RemainingPods {
  readonly pods: number;
  /** What they keep from others together, by resource. */
  readonly holds: Readonly<Record<string, string>>;
}

/** Returns the pods of a job that still run, as the cluster has them; undefined if there are none. */
export async function remainingPods(
  ports: Pick<ClientPorts, 'temporal' | 'temporalAddress' | 'cluster'>,
  job: JobId,
): Promise<RemainingPods | undefined> {
  const { namespace, anchorUid } = await namedJob(ports, job, {});
  if (anchorUid === undefined) return undefined;
  const cluster = await ports.cluster();
  const { items } = await cluster.list(PODS, {
    namespace,
    labelSelector: `${LABELS.anchorUid}=${anchorUid}`,
    fieldSelector: UNFINISHED,
  });
  if (items.length === 0) return undefined;
  const holds = items.map(({ spec }) => podRequests(spec)).reduce(addAmounts, NOTHING);
  return { pods: items.length, holds: formatAmounts(holds) };
}
