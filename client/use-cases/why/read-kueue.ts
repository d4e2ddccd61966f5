import type { Reading } from '../../../cluster/reading.ts';
import { workloadPriority } from '../../../cluster/workload-priority.ts';
import { KUEUE_LOCAL_QUEUES, KUEUE_WORKLOADS, type KubeObject } from '../../../contracts/kubernetes.ts';
import { type GangProvider, givesQuota, type TrainingJob } from '../../../contracts/training-job.ts';
import type { QueueView } from '../../../explain/situation.ts';
import { kueueCodeOf } from '../../../gang/kueue-words.ts';
import {
  isDeactivated,
  isFinished,
  isWorkloadAdmitted,
  waitOfWorkload,
} from '../../../gang/kueue-workload.ts';
import { nextPlaceInLocalQueue, placeInLocalQueue } from './kueue-place.ts';

/** The gate by which Kueue holds back pods that it manages. */
export const KUEUE_GATE = 'kueue.x-k8s.io/admission';

/** What Kueue may hold back: pods of a job, by a gate, its custom resource, by its suspension, or a job that has no pods yet. */
export interface HeldByKueue {
  readonly namespace: string;
  readonly uids: ReadonlySet<string>;
  readonly by: Pick<QueueView, 'gate' | 'suspends'>;
}

/** Returns what Kueue says of what it holds back; undefined if it says nothing, or has admitted it. */
export async function readKueue(
  reading: Reading,
  held: HeldByKueue | undefined,
): Promise<QueueView | undefined> {
  if (!held) return undefined;
  const workloads = await workloadsIn(reading, held.namespace);
  const workload = workloads.find(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => held.uids.has(uid)),
  );
  const said = workload && wordsOf(workload);
  if (!said) return undefined;
  const place =
    said.code === 'WaitingForQueue' ? await placeInLocalQueue(reading, workload, workloads) : undefined;
  return { of: 'Kueue', ...said, ...(place ? { place } : {}), ...held.by };
}

/** Returns what keeps a job in its LocalQueue that is not submitted yet: there is no such queue, or others wait in it. */
export async function readLocalQueue(
  reading: Reading,
  job: TrainingJob,
  gang: GangProvider,
): Promise<QueueView | undefined> {
  const { namespace } = job;
  const name = job.gang.kueue?.queue ?? job.gang.queue;
  if (!givesQuota(gang) || !name) return undefined;
  for (const resource of KUEUE_LOCAL_QUEUES) {
    if (!(await reading.cluster.serves(resource))) continue;
    const found = await reading.orElse<KubeObject | undefined | 'unread'>(
      reading.cluster.find(resource, namespace, name),
      'unread',
      `whether there is a LocalQueue ${name} is not known: LocalQueues may not be read`,
    );
    if (found === 'unread') return undefined;
    if (found) return behindOthers(reading, job, name);
    const message = `there is no LocalQueue ${name} in namespace ${namespace}`;
    return { of: 'Kueue', code: 'QueueClosed', message };
  }
  return undefined;
}

/** Undefined if no others wait, or that is not known: whether there is quota, Kueue says only of what it has. */
async function behindOthers(
  reading: Reading,
  job: TrainingJob,
  name: string,
): Promise<QueueView | undefined> {
  const { namespace } = job;
  const own = await reading.orElse(
    workloadPriority(reading.cluster, job),
    undefined,
    `the position in LocalQueue ${name} is not known: priority classes may not be read`,
  );
  if (!own) return undefined;
  const { priority } = own;
  const place = await nextPlaceInLocalQueue(reading, { namespace, name, priority }, () =>
    workloadsIn(reading, namespace),
  );
  return place && { of: 'Kueue', code: 'WaitingForQueue', place };
}

async function workloadsIn(reading: Reading, namespace: string): Promise<readonly KubeObject[]> {
  for (const resource of KUEUE_WORKLOADS) {
    if (!(await reading.cluster.serves(resource))) continue;
    return reading.list(
      { resource, selection: { namespace } },
      'what Kueue says is not known: its Workloads may not be listed',
    );
  }
  return [];
}

type Said = Pick<QueueView, 'code' | 'message' | 'since' | 'isDeactivated'>;

function wordsOf(workload: KubeObject): Said | undefined {
  if (isWorkloadAdmitted(workload) || isFinished(workload)) return undefined;
  const { reason = '', message = '', lastTransitionTime: since } = waitOfWorkload(workload) ?? {};
  const words = [reason, message].filter(Boolean).join(': ') || 'it has said nothing of the job yet';
  return isDeactivated(workload)
    ? { code: 'QueueClosed', message: words, since, isDeactivated: true }
    : { code: kueueCodeOf({ reason, message }), message: words, since };
}
