import { parseRanges } from '../contracts/index-ranges.ts';
import type { KubeObject, Pod } from '../contracts/kubernetes.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { groupNameOf } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { type Attempt, attemptMetadata } from './metadata.ts';
import { type Replica, renderPod } from './pod.ts';
import { renderService } from './service.ts';

export interface AttemptOptions {
  readonly gang: GangProvider;
  /** Indices that have succeeded and are not run again, as ranges, by role in lower case. */
  readonly done?: Readonly<Record<string, string>>;
  /** Pods join the gang; false for replacements that could no longer be counted into it. */
  readonly asGang: boolean;
  /** Only these replicas, in the order of roles and indices; `to` is not included. The group goes with the first. */
  readonly slice?: { readonly from: number; readonly to: number };
}

/** What an attempt consists of. The group must exist before its pods; services and pods go in any order. */
export interface AttemptObjects {
  readonly group: KubeObject | undefined;
  readonly services: readonly KubeObject[];
  readonly pods: readonly Pod[];
}

/** All objects of one attempt of a job, the same for the same arguments. */
export function renderAttempt(job: TrainingJob, attempt: Attempt, options: AttemptOptions): AttemptObjects {
  const adapter = GANG_ADAPTERS[options.gang];
  const groupName = groupNameOf(job.name, attempt.number);
  const { from, to } = options.slice ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const replicas = replicasOf(job, options.done ?? {}).slice(from, to);
  const group = options.asGang && from === 0 ? adapter.renderGroup(job, groupName) : undefined;
  const membership = options.asGang ? adapter.membership(groupName) : {};
  return {
    group: group && withMetadata(group, job, attempt),
    services: replicas.map((replica) => renderService(job, replica, attempt)),
    pods: replicas.map((replica) => renderPod(job, replica, { attempt, membership })),
  };
}

function replicasOf(job: TrainingJob, done: Readonly<Record<string, string>>): Replica[] {
  return job.roles.flatMap((role) => {
    const finished = new Set(parseRanges(done[role.name.toLowerCase()] ?? ''));
    return Array.from({ length: role.replicas }, (_, index) => ({ role, index })).filter(
      ({ index }) => !finished.has(index),
    );
  });
}

const withMetadata = (group: KubeObject, job: TrainingJob, attempt: Attempt): KubeObject => ({
  ...group,
  metadata: { ...group.metadata, ...attemptMetadata(job, attempt) },
});
