import { LABELS } from '../../contracts/labels.ts';
import type { Audited } from './audit-log.ts';

/** A pod's life as far as requests that succeeded prove it. */
export interface AuditedPod {
  readonly uid: string;
  readonly name: string;
  readonly job: string;
  readonly attempt: number;
  readonly by: string;
  /** It came to be between these. */
  readonly bornAfter: number;
  readonly bornBefore: number;
  /** It was still there when this request came. */
  lastSeen: number;
}

export function auditedPods(requests: readonly Audited[]): AuditedPod[] {
  const pods = new Map<string, AuditedPod>();
  const ofPods = requests.filter(({ resource, code }) => resource === 'pods' && code >= 200 && code < 300);
  for (const { verb, subresource, object, user, asked, answered } of ofPods) {
    if (verb !== 'create' || subresource || !object) continue;
    const { uid, name, labels = {} } = object.metadata;
    pods.set(uid!, {
      ...{ uid: uid!, name, by: user, bornAfter: asked, bornBefore: answered, lastSeen: answered },
      job: labels[LABELS.job] ?? '',
      attempt: Number(labels[LABELS.attempt]),
    });
  }
  for (const { verb, object, asked } of ofPods) {
    const pod = pods.get(object?.metadata.uid ?? '');
    // Of a second deletion of a pod that has gone there is no answer with its uid.
    if (pod && verb !== 'create') pod.lastSeen = Math.max(pod.lastSeen, asked);
  }
  return [...pods.values()].sort((a, b) => a.bornBefore - b.bornBefore);
}

/** Pairs of pods of a job, of two attempts, that were there at the same time, a line each. */
export function overlapping(pods: readonly AuditedPod[]): string[] {
  return [...byJob(pods).values()].flatMap((ofJob) =>
    ofJob.flatMap((made, index) =>
      ofJob
        .slice(0, index)
        .filter(
          (there) =>
            (there.attempt !== made.attempt || there.name === made.name) && there.lastSeen > made.bornBefore,
        )
        .map((there) => `${wordsFor(made)} was created while ${wordsFor(there)} was there`),
    ),
  );
}

function byJob(pods: readonly AuditedPod[]): ReadonlyMap<string, AuditedPod[]> {
  const jobs = new Map<string, AuditedPod[]>();
  for (const pod of pods) {
    const ofJob = jobs.get(pod.job);
    if (ofJob) ofJob.push(pod);
    else jobs.set(pod.job, [pod]);
  }
  return jobs;
}

const wordsFor = ({ name, attempt, uid }: AuditedPod) => `${name} of attempt ${attempt} (${uid})`;
