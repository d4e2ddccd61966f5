import { KUEUE_LOCAL_QUEUES, KUEUE_WORKLOADS, type KubeObject } from '../../../contracts/kubernetes.ts';
import { type GangProvider, givesQuota, type TrainingJob } from '../../../contracts/training-job.ts';
import type { QueueView } from '../../../explain/situation.ts';
import {
  isDeactivated,
  isFinished,
  isWorkloadAdmitted,
  waitOfWorkload,
} from '../../../gang/kueue-workload.ts';
import { placeInLocalQueue } from './kueue-place.ts';
import type { Reading } from './reading.ts';

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

/** Returns that there is no such queue for a job that is not submitted yet; undefined if there is, or that is not known. */
export async function readLocalQueue(
  reading: Reading,
  { namespace, gang: { kueue, queue } }: TrainingJob,
  gang: GangProvider,
): Promise<QueueView | undefined> {
  const name = kueue?.queue ?? queue;
  if (!givesQuota(gang) || !name) return undefined;
  for (const resource of KUEUE_LOCAL_QUEUES) {
    if (!(await reading.cluster.serves(resource))) continue;
    const found = await reading.orElse<KubeObject | undefined | 'unread'>(
      reading.cluster.find(resource, namespace, name),
      'unread',
      `whether there is a LocalQueue ${name} is not known: LocalQueues may not be read`,
    );
    // There is one, or that is not known.
    if (found) return undefined;
    const message = `there is no LocalQueue ${name} in namespace ${namespace}`;
    return { of: 'Kueue', code: 'QueueClosed', message };
  }
  return undefined;
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
    : { code: codeOf(reason, message), message: words, since };
}

/** Its reasons say all only with its feature gate UnadmittedWorkloadsObservability. Else its words do, for each pod set. */
function codeOf(reason: string, message: string): QueueView['code'] {
  const byReason = REASONS.find(({ pattern }) => pattern.test(reason))?.code;
  if (byReason) return byReason;
  const codes = message.split('; ').map((part) => WORDS.find(({ pattern }) => pattern.test(part))?.code);
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 'WaitingForQueue';
}

type Codes = readonly { readonly pattern: RegExp; readonly code: QueueView['code'] }[];

const REASONS: Codes = [
  { pattern: /^WaitingFor/, code: 'WaitingForQueue' },
  { pattern: /^ExceedsMaxQuota$/, code: 'NeverFits' },
  { pattern: /^(Inadmissible|Misconfigured|NoMatchingFlavor|OnHold|Suspended)$/, code: 'QueueClosed' },
];

/** It names each flavor that it tried for a pod set: one that will be free is worth waiting for. */
const WORDS: Codes = [
  { pattern: /insufficient unused quota/, code: 'WaitingForQueue' },
  { pattern: /> maximum capacity/, code: 'NeverFits' },
  {
    pattern:
      /doesn't exist|is inactive|is stopped|terminating or missing|untolerated taint|doesn't match node affinity|unavailable in ClusterQueue/,
    code: 'QueueClosed',
  },
];

const WORST_FIRST = ['NeverFits', 'QueueClosed'] as const;
