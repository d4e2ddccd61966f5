import type { Reading } from '../../../cluster/reading.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  type Pod,
  RESOURCE_QUOTAS,
  SERVICES,
} from '../../../contracts/kubernetes.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';
import { gatesOf, schedulerOf } from '../../../contracts/pod.ts';
import { readAmounts } from '../../../contracts/pod-requests.ts';
import {
  type GangProvider,
  gangTraits,
  givesQuota,
  type TrainingJob,
} from '../../../contracts/training-job.ts';
import { shapesOf } from '../../../explain/shape.ts';
import type {
  OwnState,
  QuotaScope,
  QuotaView,
  RefusedObject,
  Situation,
} from '../../../explain/situation.ts';
import { GANG_ADAPTERS } from '../../../gang/registry.ts';
import { asFields } from '../../../language/fields.ts';
import type { AttemptObjects } from '../../../resources/attempt.ts';
import { renderHostList } from '../../../resources/shared.ts';
import { isWaiting, leavingPodsOf, ownPodsOf, waitingPodsOf } from './own-pods.ts';
import { readGroup } from './read-group.ts';
import { type HeldByKueue, KUEUE_GATE, readKueue, readLocalQueue } from './read-kueue.ts';
import { readLane, readLaneNow } from './read-lane.ts';
import { readNodes } from './read-nodes.ts';
import { readOrigins } from './read-origins.ts';
import { readReferences } from './read-references.ts';
import { readAutoscaler, readSchedulers } from './read-schedulers.ts';

/** A job with its objects, as the engine makes them. */
export interface PlannedJob {
  readonly job: TrainingJob;
  readonly gang: GangProvider;
  readonly objects: AttemptObjects;
  /** The attempt that it is in, and its pods that exist; absent before the job is submitted. */
  readonly live?: {
    readonly anchorUid: string;
    readonly attempt: number;
    readonly pods: readonly Pod[];
    readonly own: OwnState;
  };
  /** The pods as admission would change them; absent if that is not known. */
  readonly admitted?: readonly Pod[];
  /** What a dry run refused. */
  readonly refused?: readonly RefusedObject[];
  /** A dry run has shown that the API server takes the pods that are missing. */
  readonly isAdmitted?: boolean;
  /** Where the lanes of the installation are. */
  readonly lanes?: LanesReference;
}

/** Reads everything that the explanation of a job follows from. */
export async function readSituation(reading: Reading, planned: PlannedJob): Promise<Situation> {
  const { job, gang, objects, live, admitted = objects.pods, refused = [] } = planned;
  const { namespace, name } = job;
  const existing = live?.pods ?? [];
  const pods = ownPodsOf(admitted, existing, live?.attempt ?? 0);
  const waiting = waitingPodsOf(existing);
  const templates = { pods: live ? existing : admitted, written: objects.pods };
  const [nodes, quotas, references, grouped, kueue, lane, schedulers, autoscaler, origins] =
    await Promise.all([
      readNodes(reading, { namespace, name, pods, ...gatesOfGang(planned) }),
      readQuotas(reading, namespace),
      // As the manifest names them, without what admission adds to each pod.
      readReferences(reading, ownPodsOf(objects.pods, [], 0), { namespace, made: madeBy(planned) }),
      readGroup(reading, { job, gang, attempt: live?.attempt }),
      live ? readKueue(reading, heldByKueue(planned)) : readLocalQueue(reading, job, gang),
      live ? readLaneNow(reading, live, planned.lanes) : readLane(reading, job, planned.lanes),
      readSchedulers(reading, waiting, live ? [] : schedulersOf(planned)),
      readAutoscaler(reading, namespace, waiting),
      readOrigins(reading, namespace, templates),
    ]);
  const { places, missing, pending, notes } = references;
  const queue = kueue ?? grouped.queue;
  return {
    at: Date.now(),
    ...(live ? { own: live.own } : {}),
    demand: {
      ...{ namespace, waiting, leaving: leavingPodsOf(existing) },
      shapes: shapesOf(pods, { ...nodes.by, claims: places }),
      minMember: gang === 'none' ? 1 : Math.min(job.gang.minMember, pods.length),
      enough: enoughOf(job),
      ...(!live && job.plan.runPolicy.suspend ? { isSuspended: true as const } : {}),
      origins,
      objects: live ? {} : countsOf(objects),
    },
    cluster: {
      ...{ ...nodes.view, quotas, missing, notes, volumes: pending, refused, schedulers, autoscaler },
      ...(planned.isAdmitted ? { isAdmitted: true as const } : {}),
      ...(grouped.group ? { group: grouped.group } : {}),
      ...(queue ? { queue } : {}),
      ...(lane ? { lane } : {}),
    },
    unread: reading.unread,
  };
}

/** No pods of others make room for a gang whose gates wait for it. */
function gatesOfGang({ gang, live }: PlannedJob) {
  const { isGated } = gangTraits(gang);
  return { preempts: !isGated, ...(isGated && live ? { gatedUid: live.anchorUid } : {}) };
}

/** Those that pods name, without Kubernetes' own and that of the gang. */
function schedulersOf({ job, gang, objects, admitted = objects.pods }: PlannedJob): readonly string[] {
  const known = ['default-scheduler', GANG_ADAPTERS[gang].schedulerOf?.(job)];
  return admitted.map(({ spec }) => schedulerOf(spec)).filter((name) => !known.includes(name));
}

/** Elastic roles need not be whole. */
const enoughOf = ({ plan, roles }: TrainingJob): number =>
  roles.reduce((sum, { name, replicas }) => {
    const { enough = replicas } = plan.roles.find((role) => role.name === name) ?? {};
    return sum + enough;
  }, 0);

/**
 * Kueue suspends the resource of a job, or has a Workload for a job that was submitted. Where it does not know the kind, it holds
 * back pods that name a queue.
 */
function heldByKueue({ job: { namespace, resource }, gang, live }: PlannedJob): HeldByKueue | undefined {
  if (live && givesQuota(gang)) return { namespace, uids: new Set([live.anchorUid]), by: {} };
  if (live?.own.phase === 'Suspended' && resource)
    return { namespace, uids: new Set([resource.uid]), by: { suspends: true } };
  const held = (live?.pods ?? []).filter((pod) => isWaiting(pod) && gatesOf(pod.spec).includes(KUEUE_GATE));
  const uids = new Set(held.flatMap(({ metadata }) => metadata.uid ?? []));
  return uids.size > 0 ? { namespace, uids, by: { gate: KUEUE_GATE } } : undefined;
}

/** Objects that pods name and the job makes itself, some of them only when its pods have addresses. */
function madeBy({ job, objects: { shared } }: PlannedJob): ReadonlySet<string> {
  const made: readonly KubeObject[] = [...shared, ...renderHostList(job, '', [])];
  return new Set(made.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
}

/** The anchor is a ConfigMap, too. */
function countsOf({ services, shared }: AttemptObjects): Readonly<Record<string, number>> {
  const configMaps = shared.filter(({ kind }) => kind === CONFIG_MAPS.kind).length + 1;
  return { [SERVICES.plural]: services.length, [CONFIG_MAPS.plural]: configMaps };
}

/** Reads the quotas of a namespace. */
async function readQuotas(reading: Reading, namespace: string): Promise<readonly QuotaView[]> {
  const quotas = await reading.list(
    { resource: RESOURCE_QUOTAS, selection: { namespace } },
    'whether a quota has room is not known: ResourceQuotas may not be listed',
  );
  return quotas.map(quotaOf);
}

function quotaOf({ metadata: { name }, spec, status }: KubeObject): QuotaView {
  const { hard, scopes, scopeSelector } = asFields(spec);
  const listed = (Array.isArray(scopes) ? scopes : []).map((scopeName: string) => ({ scopeName }));
  const { matchExpressions } = asFields(scopeSelector);
  const selected = (Array.isArray(matchExpressions) ? matchExpressions : []) as readonly QuotaScope[];
  return {
    name,
    hard: readAmounts(hard),
    used: readAmounts(asFields(status).used),
    scopes: [...listed, ...selected],
  };
}
