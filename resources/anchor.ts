import { type AnchorRecord, formatAnchorRecord } from '../contracts/anchor.ts';
import type { Home } from '../contracts/home.ts';
import type { ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../contracts/labels.ts';
import type { WatchRules } from '../contracts/policy.ts';
import { findRole, roleKey } from '../contracts/roles.ts';
import type { GangProvider, PlannedRole, TrainingJob } from '../contracts/training-job.ts';
import type { JobStatus, ResourceIdentity } from '../contracts/types.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { mainContainerOf } from '../frameworks/model/main-container.ts';
import { nameOfPod, resourceOwnersOf } from './metadata.ts';
import { renderService } from './service.ts';

/** The workflow that a job's objects belong to. */
export interface WorkflowIdentity {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/**
 * Renders the job's anchor. It owns all other objects of the job, claims the job's name in the namespace, names the
 * workflow and the installation for the watcher, and keeps the job's record after the workflow's history is gone.
 */
export function renderAnchor(
  job: TrainingJob,
  { workflowId, firstRunId, installation, clusterId }: WorkflowIdentity & Home,
  gang: GangProvider,
): ConfigMap {
  const { annotations, data } = revisionOnAnchor(job, JSON.stringify(job));
  const owners = resourceOwnersOf(job);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: anchorNameOf(job.name),
      namespace: job.namespace,
      labels: {
        [LABELS.anchor]: 'true',
        [LABELS.installation]: installation,
        [LABELS.job]: job.name,
      },
      annotations: {
        ...formatAnchorRecord({
          workflowId,
          firstRunId,
          clusterId,
          kind: job,
          phase: 'Pending',
          record: 1,
          gang,
          mainContainers: mainContainersOf(job),
          mainPod: mainPodOf(job),
          hostList: job.plan.hostList,
          services: rolesWithServices(job),
        }),
        ...withoutNulls(annotations),
      },
      ...(owners.length > 0 ? { ownerReferences: owners } : {}),
    },
    data: { ...data, status: JSON.stringify(firstStatus(job)) },
  };
}

const withoutNulls = (values: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );

/**
 * Returns what an anchor has of the newest revision of its job: the job, and what the watcher looks for. null: nothing.
 * `text`: the job as JSON.
 */
export function revisionOnAnchor(job: TrainingJob, text: string) {
  const watch = watchRulesOf(job);
  const annotations: Readonly<Record<string, string | null>> = {
    [ANNOTATIONS.decidingPod]: null,
    ...formatAnchorRecord({ milestones: milestonesOf(job), decidingPod: decidingPodOf(job) }),
    [ANNOTATIONS.watch]: watch ? JSON.stringify(watch) : null,
    ...(job.resource ? versionOnAnchor(job.resource) : {}),
  };
  return { annotations, data: { job: text } };
}

/** Returns what an anchor has of the resource that its job follows. null: nothing. */
export const versionOnAnchor = ({ generation, annotations }: ResourceIdentity) => ({
  [ANNOTATIONS.generation]: String(generation),
  [ANNOTATIONS.annotationsHash]: annotations ?? null,
});

/**
 * Returns at how many active pods the workflow decides something: when there are enough to run, and when all are there;
 * both also without the roles that are not created yet.
 */
export function milestonesOf({ plan: { roles } }: TrainingJob): readonly number[] {
  const counts = stagesOf(roles).flatMap((some) => [
    sumOf(some, ({ enough, replicas }) => enough ?? replicas),
    sumOf(some, ({ replicas }) => replicas),
  ]);
  return [...new Set(counts)].filter((count) => count > 0).sort((a, b) => a - b);
}

/** Returns the roles that are there at first, then those that are there as well when these are ready, and so on. */
function stagesOf(
  roles: readonly PlannedRole[],
  known: readonly PlannedRole[] = [],
): readonly PlannedRole[][] {
  const names = known.map(({ name }) => name);
  const next = roles.filter(({ after = [] }) => after.every((name) => names.includes(name)));
  return next.length > known.length ? [next, ...stagesOf(roles, next)] : [];
}

/** Returns the roles whose pods have Services, in lower case; undefined if none has. */
function rolesWithServices(job: TrainingJob): readonly string[] | undefined {
  const of = { job, framework: frameworkOf(job) };
  const roles = job.roles.filter((role) => renderService(of, { role, index: 0 }, ''));
  return roles.length > 0 ? roles.map(({ name }) => roleKey(name)) : undefined;
}

/** Returns the pod whose success is that of the job; undefined if it takes more than one. */
function decidingPodOf(job: TrainingJob): string | undefined {
  const { roles, successRoles, successOf } = job.plan;
  const [role, ...others] = roles.filter(({ name }) => successRoles.includes(name));
  if (!role || others.length > 0 || (role.replicas > 1 && successOf !== 'first')) return undefined;
  return nameOfPod({ job, framework: frameworkOf(job) }, { role: findRole(job.roles, role.name)!, index: 0 });
}

const sumOf = (roles: readonly PlannedRole[], count: (role: PlannedRole) => number) =>
  roles.reduce((sum, role) => sum + count(role), 0);

/** Returns what the watcher looks for according to the job's policy; undefined if it has nothing to look for. */
export function watchRulesOf({ plan: { policy } }: TrainingJob): WatchRules | undefined {
  const { annotation, log, stalledAfterMs } = policy?.progress ?? {};
  const acknowledgedBy = policy?.checkpoint?.acknowledgedBy;
  const reportsProgress = annotation !== undefined || log !== undefined;
  if (!reportsProgress && !acknowledgedBy) return undefined;
  return {
    ...(reportsProgress ? { progress: { annotation, log }, everyMs: reportInterval(stalledAfterMs) } : {}),
    ...(acknowledgedBy ? { acknowledgedBy } : {}),
  };
}

/** Frequent enough that an active job does not count as stalled; each report adds to the workflow's history. */
const reportInterval = (stalledAfterMs: number | undefined) =>
  stalledAfterMs === undefined
    ? EVERY_MS.usual
    : Math.min(Math.max(Math.round(stalledAfterMs / 3), EVERY_MS.least), EVERY_MS.most);

const EVERY_MS = { usual: 10_000, least: 1_000, most: 60_000 };

function mainContainersOf(job: TrainingJob): AnchorRecord['mainContainers'] {
  const framework = frameworkOf(job);
  return Object.fromEntries(
    job.roles.map(({ name, template }) => [roleKey(name), mainContainerOf(template, framework).name]),
  );
}

/** Returns the name of the first pod of the kind's master role. */
export function mainPodOf(job: TrainingJob): string {
  const framework = frameworkOf(job);
  const role = findRole(job.roles, framework.masterRole(job.roles)) ?? job.roles[0]!;
  return nameOfPod({ job, framework }, { role, index: 0 });
}

/** The recorded status until the workflow writes the first one. */
const firstStatus = ({ kind, name, namespace, warnings }: TrainingJob): JobStatus => ({
  kind,
  name,
  namespace,
  phase: 'Pending',
  state: 'Pending.Creating',
  attempt: 1,
  restarts: 0,
  conditions: [],
  replicaStatuses: {},
  warnings,
  timeline: [],
});
