import type { PodPlacement } from '../contracts/admitted-placement.ts';
import type { AvoidedNode } from '../contracts/avoided-nodes.ts';
import type { KubeObject, Pod } from '../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import { roleKey } from '../contracts/roles.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import type { Replica } from '../frameworks/model/framework.ts';
import { type GangAdapter, groupNameOf, type Membership } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { ownValue } from '../language/fields.ts';
import { parseRanges } from '../language/index-ranges.ts';
import { type Attempt, attemptMetadata } from './metadata.ts';
import { renderPod } from './pod.ts';
import { renderService } from './service.ts';
import { renderShared } from './shared.ts';

export interface AttemptOptions {
  readonly gang: GangProvider;
  /** Indices that have succeeded and are not run again, as ranges, by role in lower case. */
  readonly succeededIndices?: Readonly<Record<string, string>>;
  /** Pods join the gang; false for replacements after members have succeeded. */
  readonly asGang: boolean;
  /** Members need no gate: those of the gang were lifted. */
  readonly isLifted?: boolean;
  /** Names of the roles to render; all roles if absent. */
  readonly roles?: readonly string[];
  /** Where the ranks meet: another number is another place. */
  readonly meeting?: number;
  /** Nodes that pods avoid. */
  readonly avoid?: readonly AvoidedNode[];
  /** Nodes that pods prefer, by the name of the pod. */
  readonly prefer?: ReadonlyMap<string, string>;
  /** How often a role was restarted on its own, by its name in lower case; absent for roles that never were. */
  readonly incarnations?: Readonly<Record<string, number>>;
  /** Of a gated gang: when the first attempt began, in epoch milliseconds; absent in that. */
  readonly queuedSince?: number;
  /** What the queue that admitted the attempt adds to its pods, by role in lower case. */
  readonly placement?: Readonly<Record<string, PodPlacement>>;
  /** Replicas in the order of roles and indices, without `to`. The first slice has shared objects and group. */
  readonly slice?: { readonly from: number; readonly to: number };
}

/** Objects of an attempt. Shared objects and the group must exist before pods; services and pods have no order. */
export interface AttemptObjects {
  readonly shared: readonly KubeObject[];
  readonly group: KubeObject | undefined;
  readonly services: readonly KubeObject[];
  readonly pods: readonly Pod[];
}

/** Renders all objects of one attempt of a job. The same arguments give the same objects. */
export function renderAttempt(job: TrainingJob, attempt: Attempt, options: AttemptOptions): AttemptObjects {
  const { from, to } = options.slice ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const of = { job, framework: frameworkOf(job) };
  const replicas = replicasOf(job, attempt, options).slice(from, to);
  const isFirst = from === 0;
  return {
    shared: isFirst ? renderShared(job, attempt.anchorUid) : [],
    group: options.asGang && isFirst ? renderGroup(job, attempt, options.gang) : undefined,
    services: replicas.flatMap((replica) => renderService(of, replica, attempt.anchorUid) ?? []),
    pods: replicas.map((replica) => {
      const membership = membershipOf(job, { attempt, role: replica.role.name }, options);
      const incarnation = ownValue(options.incarnations ?? {}, roleKey(replica.role.name));
      const placement = ownValue(options.placement ?? {}, roleKey(replica.role.name));
      const { avoid, prefer } = options;
      return renderPod(of, replica, { attempt, membership, incarnation, avoid, prefer, placement });
    }),
  };
}

/** Renders the group of an attempt; undefined without gang scheduling. */
export function renderGroup(job: TrainingJob, attempt: Attempt, gang: GangProvider): KubeObject | undefined {
  const group = GANG_ADAPTERS[gang].renderGroup(job, groupNameOf(job.name, attempt.number, gang));
  return group && { ...group, metadata: { ...group.metadata, ...attemptMetadata(job, attempt) } };
}

function membershipOf(
  job: TrainingJob,
  { attempt, role }: { readonly attempt: Attempt; readonly role: string },
  { gang, asGang, isLifted, queuedSince }: AttemptOptions,
): Membership {
  const adapter: GangAdapter = GANG_ADAPTERS[gang];
  if (!asGang && !adapter.countsFinished) return adapter.outsideGroup?.(job) ?? {};
  const member = adapter.membership(job, groupNameOf(job.name, attempt.number, gang), role);
  const gate = isLifted ? undefined : adapter.gate?.(job, role);
  if (!gate) return member;
  return {
    labels: { ...member.labels, ...gate.labels },
    annotations: { ...member.annotations, ...gate.annotations, ...placeOf(queuedSince) },
    spec: { ...member.spec, ...gate.spec },
  };
}

/** A gang that is made anew keeps its place in the order. */
const placeOf = (queuedSince: number | undefined): Membership['annotations'] =>
  queuedSince === undefined ? {} : { [ANNOTATIONS.queuedSince]: String(queuedSince) };

function replicasOf(
  job: TrainingJob,
  { number: attempt }: Attempt,
  { succeededIndices = {}, roles, meeting }: AttemptOptions,
): Replica[] {
  return job.roles
    .filter(({ name }) => !roles || roles.includes(name))
    .flatMap((role) => {
      const finished = new Set(parseRanges(ownValue(succeededIndices, roleKey(role.name)) ?? ''));
      return Array.from({ length: role.replicas }, (_, index) => ({ role, index, attempt, meeting })).filter(
        ({ index }) => !finished.has(index),
      );
    });
}
