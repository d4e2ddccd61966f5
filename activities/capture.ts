import { Context } from '@temporalio/activity';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { byName, isOfAnchor } from '../contracts/objects.ts';
import { containersOf } from '../contracts/pod.ts';
import type { EvidenceSummary } from '../contracts/types.ts';
import { isPodFailed } from '../evidence/failed-containers.ts';
import { recordKeyOf } from '../evidence/record-key.ts';
import type { FailedPodIdentity } from '../machines/model/effects.ts';
import { mainPodOf } from '../resources/anchor.ts';
import { Records } from './evidence/records.ts';
import { takeEvidence } from './evidence/take-evidence.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { inParallel } from './support/in-parallel.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';

/** The store has all records; the workflow's history gets this many summaries. */
const MOST_SUMMARIES = 20;
/** Pods of a stalled job beside its main pod. */
const MOST_OTHERS = 7;

/** Takes evidence of pods without changing them. Idempotent by the records. */
export async function capture(
  dependencies: Dependencies,
  request: EffectRequest<'capture'>,
): Promise<EffectResult> {
  const evidence = request.pods
    ? await ofNamed(dependencies, request, request.pods)
    : await takeEvidence(dependencies, {
        job: request.job,
        pods: await podsToCapture(dependencies, request),
      });
  return { resourceVersion: 0, evidence: mostRelevant(evidence) };
}

/** Prefers pods in which a pattern matches, because the policy decides by them; then those that failed first. */
function mostRelevant(evidence: readonly EvidenceSummary[]): EvidenceSummary[] {
  const hasMatch = ({ matches }: EvidenceSummary) => Number(matches !== undefined);
  const chosen = [...evidence].sort((a, b) => hasMatch(b) - hasMatch(a)).slice(0, MOST_SUMMARIES);
  return evidence.filter((one) => chosen.includes(one));
}

/** On a retry pods may be gone: their records replace them. */
async function ofNamed(
  dependencies: Dependencies,
  request: EffectRequest<'capture'>,
  named: readonly FailedPodIdentity[],
): Promise<EvidenceSummary[]> {
  const { cluster, connections, bulk } = dependencies;
  const { job, anchorUid } = request;
  const [there, gone]: [Pod[], FailedPodIdentity[]] = [[], []];
  const signal = Context.current().cancellationSignal;
  await inParallel(named, { limit: connections, signal }, async (identity) => {
    const found = await bulk.run(() => cluster.find(PODS, job.namespace, identity.pod));
    if (found?.metadata.uid === identity.uid && isOfAnchor(found, anchorUid)) there.push(found);
    else gone.push(identity);
  });
  const recorded = await recordsOf(dependencies, request, gone);
  return [...recorded, ...(await takeEvidence(dependencies, { job, pods: there }))];
}

async function recordsOf(
  { evidenceStore }: Dependencies,
  { job, anchorUid, attempt }: EffectRequest<'capture'>,
  gone: readonly FailedPodIdentity[],
): Promise<EvidenceSummary[]> {
  const records = new Records(evidenceStore);
  const { namespace, name } = job;
  const find = async (identity: FailedPodIdentity) => {
    const key = recordKeyOf({ namespace, name, anchorUid }, { ...identity, attempt });
    // The store is unavailable, or no record can have this identity.
    return records.find(key).catch(() => undefined);
  };
  const found = await Promise.all(gone.map(find));
  return found.flatMap((record) => (record ? [record] : [])).map(({ summary }) => summary);
}

/** Returns the pod whose log shows the trouble, the main pod, and others of the attempt: failed ones before restarted ones. */
async function podsToCapture(
  { cluster }: Dependencies,
  request: EffectRequest<'capture'>,
): Promise<readonly Pod[]> {
  const pods = await listPodsOfAttempt(cluster, request);
  const main = mainPodOf(request.job);
  const order: readonly ((pod: Pod) => boolean)[] = [
    ({ metadata }) => metadata.name === request.shows,
    ({ metadata }) => metadata.name === main,
    isPodFailed,
    (pod) => containersOf(pod).some(isRestarted),
    () => true,
  ];
  const place = (pod: Pod) => order.findIndex((isOne) => isOne(pod));
  return [...pods].sort((a, b) => place(a) - place(b) || byName(a, b)).slice(0, 1 + MOST_OTHERS);
}

const isRestarted = ({ restartCount = 0 }: { restartCount?: number }) => restartCount > 0;
