import type { Member } from '../contracts/host-list.ts';
import type { Pod } from '../contracts/kubernetes.ts';
import { indexOf, isReplica, roleOf } from '../contracts/pod.ts';
import { isProgramReady } from '../contracts/program.ts';
import { roleKey } from '../contracts/roles.ts';
import type { HostListRule } from '../contracts/training-job.ts';
import { renderHostList } from '../resources/shared.ts';
import { writeShared } from './objects/shared-objects.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';

/** Writes the job's host list from its present pods. Idempotent: the newest list replaces the previous one. */
export async function publishHostList(
  dependencies: Dependencies,
  request: EffectRequest<'publishHostList'>,
): Promise<EffectResult> {
  const { job, anchorUid } = request;
  const rule = job.plan.hostList;
  if (!rule) return { resourceVersion: 0 };
  const pods = await listPodsOfAttempt(dependencies.cluster, request, { where: isReplica });
  const members = pods.filter((pod) => isListed(pod, rule)).map(memberOf);
  // All pods are gone since the request. The next digest shows that and leads to another request.
  if (members.length === 0 && rule.when === 'addressed') return { resourceVersion: 0 };
  for (const object of renderHostList(job, anchorUid, members)) await writeShared(dependencies, object);
  return { resourceVersion: 0 };
}

function isListed(pod: Pod, { when, roles }: HostListRule): boolean {
  const role = roleOf(pod);
  if (!roles.map(roleKey).includes(role)) return false;
  if (when === 'addressed') return Boolean(pod.status?.podIP);
  return isProgramReady(pod) && !pod.metadata.deletionTimestamp;
}

const memberOf = (pod: Pod): Member => ({
  pod: pod.metadata.name,
  role: roleOf(pod),
  index: indexOf(pod),
  address: pod.status?.podIP ?? '',
});
