import { Context } from '@temporalio/activity';
import type { ClusterClient } from '../cluster/client.ts';
import { PODS, SERVICES } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { type AttemptObjects, renderAttempt } from '../resources/attempt.ts';
import { createObjects, type ObjectToCreate } from './create-objects.ts';
import type { Dependencies } from './dependencies.ts';

export interface AttemptRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
  readonly gang: GangProvider;
  readonly done: Readonly<Record<string, string>>;
  readonly asGang: boolean;
}

export interface CreateAttemptRequest extends AttemptRequest {
  /** Replicas in the order of roles and indices; `to` is not included. */
  readonly from: number;
  readonly to: number;
}

/** Resource version up to which a digest must have read to know what was done. */
export interface Done {
  readonly revision: number;
}

/** Creates a slice of an attempt. Idempotent by names: what is there and ours is left as it is. */
export async function createAttempt(
  dependencies: Dependencies,
  request: CreateAttemptRequest,
): Promise<Done> {
  const objects = renderRequested(request);
  const slice = {
    group: request.from === 0 ? objects.group : undefined,
    services: objects.services.slice(request.from, request.to),
    pods: objects.pods.slice(request.from, request.to),
  };
  // A second try finds most of it there: one list is cheaper than as many refusals.
  const isRetry = Context.current().info.attempt > 1;
  return createMissing(dependencies, request, { objects: slice, lookFirst: isRetry });
}

export function renderRequested({
  job,
  anchorUid,
  attempt,
  gang,
  done,
  asGang,
}: AttemptRequest): AttemptObjects {
  return renderAttempt(job, { number: attempt, anchorUid }, { gang, done, asGang });
}

/** Creates what is not there; with `lookFirst` it lists before it creates. */
export async function createMissing(
  dependencies: Dependencies,
  { gang, job }: AttemptRequest,
  { objects, lookFirst }: { readonly objects: AttemptObjects; readonly lookFirst: boolean },
): Promise<Done> {
  const { group, services, pods } = objects;
  const members: ObjectToCreate[] = [
    ...services.map((object) => ({ resource: SERVICES, object })),
    ...pods.map((object) => ({ resource: PODS, object })),
  ];
  const resource = GANG_ADAPTERS[gang].resource;
  if (group && resource) await createObjects(dependencies, [{ resource, object: group }]);
  const existing = lookFirst ? await namesOf(dependencies.cluster, job) : new Set<string>();
  const missing = members.filter(({ object }) => !existing.has(keyOf(object.kind, object.metadata.name)));
  const revision = await createObjects(dependencies, missing);
  return { revision };
}

/** Objects of the job that are there to stay; one that is being deleted must be waited for, so it does not count. */
async function namesOf(cluster: ClusterClient, job: TrainingJob): Promise<Set<string>> {
  const selection = { namespace: job.namespace, labelSelector: `${LABELS.job}=${job.name}` };
  const lists = await Promise.all([cluster.list(PODS, selection), cluster.list(SERVICES, selection)]);
  const [pods, services] = lists.map(({ items }) => items.filter((item) => !item.metadata.deletionTimestamp));
  return new Set([
    ...pods!.map(({ metadata }) => keyOf('Pod', metadata.name)),
    ...services!.map(({ metadata }) => keyOf('Service', metadata.name)),
  ]);
}

const keyOf = (kind: string, name: string) => `${kind}/${name}`;
