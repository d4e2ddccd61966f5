import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { Member } from '../contracts/roster.ts';
import type { RosterRule, TrainingJob } from '../contracts/training-job.ts';
import { renderRoster } from '../resources/shared.ts';
import { writeShared } from './objects/shared-objects.ts';
import type { Dependencies } from './support/dependencies.ts';
import { listOwned } from './support/owned.ts';
import { replicasOnly } from './support/replicas.ts';
import type { Done } from './support/result.ts';
import { selectAttempt } from './support/select-attempt.ts';

export interface PublishRosterRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
}

/** Writes what lists the job's pods, as they are now. Idempotent: the newest list replaces the one before. */
export async function publishRoster(
  dependencies: Dependencies,
  { job, anchorUid, attempt }: PublishRosterRequest,
): Promise<Done> {
  const rule = job.plan.roster;
  if (!rule) return { revision: 0 };
  const selection = selectAttempt({ job, attempt });
  const where = replicasOnly(job);
  const pods = await listOwned(dependencies.cluster, PODS, selection, { anchorUid, where });
  const members = pods.filter((pod) => isListed(pod, rule)).map(memberOf);
  // All gone since the list was asked for: the next digest says so, and leads to another one.
  if (members.length === 0 && rule.when === 'addressed') return { revision: 0 };
  for (const object of renderRoster(job, anchorUid, members)) await writeShared(dependencies, object);
  return { revision: 0 };
}

function isListed({ metadata, status }: Pod, { when, roles }: RosterRule): boolean {
  const role = metadata.labels?.[LABELS.role];
  if (!roles.some((name) => name.toLowerCase() === role)) return false;
  if (when === 'addressed') return Boolean(status?.podIP);
  const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
  return isReady && !metadata.deletionTimestamp;
}

const memberOf = ({ metadata, status }: Pod): Member => ({
  pod: metadata.name,
  role: metadata.labels?.[LABELS.role] ?? '',
  index: Number(metadata.labels?.[LABELS.index]),
  address: status?.podIP ?? '',
});
