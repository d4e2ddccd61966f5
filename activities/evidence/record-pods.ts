import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import type { Pod } from '../../contracts/kubernetes.ts';
import { attemptOf } from '../../contracts/objects.ts';
import { isReplica } from '../../contracts/pod.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { PodsRecord } from '../../contracts/types.ts';
import { podsRecordKeyOf } from '../../evidence/record-key.ts';
import { recordedJobOf } from '../../evidence/render-record.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { type EndedProducts, productsOf } from './ended-products.ts';
import { gpuProductsOf } from './gpu-products.ts';
import { recordedPodOf } from './recorded-pod.ts';

interface PodsToRecord {
  readonly job: Pick<TrainingJob, 'kind' | 'namespace' | 'name'>;
  readonly pods: readonly Pod[];
  /** The pods are deleted next. */
  readonly isDeletion: boolean;
}

/** A store that does not answer must not delay a job for longer. */
const WAIT_MS = 2_000;

/**
 * Writes what ran to the evidence store: one record for each attempt. Never throws, and returns after a moment whether
 * the store answers or not: the log then says so. Returns which GPUs the pods have had, as far as it is known. Idempotent by
 * the pods' uids, which name the record.
 */
export async function recordPods(
  dependencies: Pick<Dependencies, 'evidenceStore' | 'cluster' | 'bulk'>,
  { job, pods, isDeletion }: PodsToRecord,
): Promise<EndedProducts> {
  const { evidenceStore } = dependencies;
  const gpuProducts = await gpuProductsOf(dependencies, pods);
  const replicas = pods.filter(isReplica);
  const byAttempt = Map.groupBy(replicas, attemptOf);
  const writes = [...byAttempt].map(async ([attempt, ofAttempt]) => {
    const run = recordedJobOf(ofAttempt[0]!);
    const key = podsRecordKeyOf(run, { attempt, sha256: sha256OfUids(ofAttempt) });
    const { anchorUid } = run;
    const takenAt = new Date().toISOString();
    const known = { gpuProducts, ...(isDeletion ? { deletedAt: takenAt } : {}) };
    const recorded = ofAttempt.map((pod) => recordedPodOf(pod, known));
    const record = recordOf({ job, anchorUid, attempt, takenAt }, recorded);
    await evidenceStore.write(key, JSON.stringify(record));
  });
  if (writes.length > 0) await noFault(Promise.all(writes), `${job.namespace}/${job.name}`);
  return productsOf(replicas, gpuProducts);
}

function recordOf(
  { job: { kind, namespace, name }, ...others }: Omit<PodsRecord, 'schema' | 'pods'>,
  pods: PodsRecord['pods'],
): PodsRecord {
  return { schema: 'signalbox.dev/pods/v1', job: { kind, namespace, name }, ...others, pods };
}

const sha256OfUids = (pods: readonly Pod[]): string => {
  const uids = pods.map(({ metadata }) => metadata.uid ?? '').sort();
  return createHash('sha256').update(uids.join('\n')).digest('hex').slice(0, 32);
};

async function noFault(writing: Promise<unknown>, job: string): Promise<void> {
  const waiting = new AbortController();
  const inTime = delay(WAIT_MS, 'late', { signal: waiting.signal, ref: false }).catch(() => undefined);
  const warn = (why: string) => log.warn(`the record of what ran in ${job} could not be written: ${why}`);
  const written = writing.catch((error: unknown) => warn(errorMessage(error)));
  if ((await Promise.race([written, inTime])) === 'late') {
    warn(`the evidence store has not answered within ${WAIT_MS} ms; the job does not wait for it`);
  }
  waiting.abort();
}
