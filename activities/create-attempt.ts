import { Context } from '@temporalio/activity';
import type { ClusterClient } from '../cluster/client.ts';
import { type KubeObject, PODS, SERVICES } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { type AttemptObjects, type AttemptOptions, renderAttempt } from '../resources/attempt.ts';
import { createObjects, type ObjectToCreate } from './create-objects.ts';
import type { Dependencies } from './dependencies.ts';
import { isOwnedBy, toCreate } from './shared-objects.ts';

export interface AttemptRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
  readonly gang: GangProvider;
  readonly done: Readonly<Record<string, string>>;
  readonly asGang: boolean;
  /** Names of the roles whose pods are meant; all of them without. */
  readonly roles?: readonly string[];
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
  const { from, to } = request;
  const objects = renderRequested(request, { from, to });
  // A second try finds most of it there: one list is cheaper than as many refusals.
  const isRetry = Context.current().info.attempt > 1;
  return createMissing(dependencies, request, { objects, lookFirst: isRetry });
}

export function renderRequested(
  { job, anchorUid, attempt, gang, done, asGang, roles }: AttemptRequest,
  slice?: AttemptOptions['slice'],
): AttemptObjects {
  return renderAttempt(job, { number: attempt, anchorUid }, { gang, done, asGang, roles, slice });
}

/** Creates what is not there; with `lookFirst` it lists before it creates. */
export async function createMissing(
  dependencies: Dependencies,
  request: AttemptRequest,
  { objects, lookFirst }: { readonly objects: AttemptObjects; readonly lookFirst: boolean },
): Promise<Done> {
  const { shared, group, services, pods } = objects;
  const members: ObjectToCreate[] = [
    ...services.map((object) => ({ resource: SERVICES, object })),
    ...pods.map((object) => ({ resource: PODS, object })),
  ];
  const resource = GANG_ADAPTERS[request.gang].resource;
  // In their order: who may not do everything can bind only a role that is there.
  for (const object of shared) await createObjects(dependencies, [toCreate(object)]);
  if (group && resource) await createObjects(dependencies, [{ resource, object: group }]);
  const existing = lookFirst ? await findExisting(dependencies.cluster, request) : NOTHING;
  const missing = members.filter(({ object }) => !existing.names.has(keyOf(object)));
  const made = await createObjects(dependencies, missing);
  return { revision: podsRevision([...existing.pods, ...made]) };
}

interface Existing {
  /** Kinds and names. */
  readonly names: ReadonlySet<string>;
  readonly pods: readonly KubeObject[];
}

const NOTHING: Existing = { names: new Set(), pods: [] };

/** Objects of this job that are there to stay; one that is being deleted must be waited for, so it does not count. */
async function findExisting(cluster: ClusterClient, { job, anchorUid }: AttemptRequest): Promise<Existing> {
  const selection = { namespace: job.namespace, labelSelector: `${LABELS.job}=${job.name}` };
  const [pods, services] = await Promise.all([
    cluster.list(PODS, selection),
    cluster.list(SERVICES, selection),
  ]);
  const isThere = (object: KubeObject) => !object.metadata.deletionTimestamp && isOwnedBy(object, anchorUid);
  // Items of a list come without their kind.
  const ofKind = (kind: string, items: readonly KubeObject[]) =>
    items.filter(isThere).map((item) => ({ ...item, kind }));
  const found = { pods: ofKind('Pod', pods.items), services: ofKind('Service', services.items) };
  return { names: new Set([...found.pods, ...found.services].map(keyOf)), pods: found.pods };
}

const keyOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.name}`;

/** Only pods: a Service's revision may be one that the watcher's stream of pods does not reach for long. */
const podsRevision = (objects: readonly KubeObject[]) =>
  objects
    .filter(({ kind }) => kind === 'Pod')
    .reduce((highest, { metadata }) => Math.max(highest, Number(metadata.resourceVersion)), 0);
