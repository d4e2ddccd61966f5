import type { Home } from '../contracts/home.ts';
import { formatHostListRule } from '../contracts/host-list.ts';
import type { ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../contracts/labels.ts';
import type { WatchRules } from '../contracts/policy.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { mainContainerOf } from '../frameworks/manifest/main-container.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import { nameOf } from './metadata.ts';

/** The workflow that a job's objects belong to. */
export interface WorkflowIdentity {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/**
 * The job's anchor: it owns all other objects of the job, claims its name in the namespace, tells the watcher which
 * workflow of which installation to speak to, and keeps the record of the job after the workflow's history is gone.
 */
export function renderAnchor(
  job: TrainingJob,
  { workflowId, firstRunId, installation, clusterId }: WorkflowIdentity & Home,
  gang: GangProvider,
): ConfigMap {
  const watch = watchRulesOf(job);
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
        [ANNOTATIONS.workflowId]: workflowId,
        [ANNOTATIONS.firstRunId]: firstRunId,
        ...(clusterId ? { [ANNOTATIONS.clusterId]: clusterId } : {}),
        [ANNOTATIONS.kind]: `${job.apiVersion} ${job.kind}`,
        [ANNOTATIONS.phase]: 'Pending',
        [ANNOTATIONS.gang]: gang,
        [ANNOTATIONS.mainContainer]: mainContainersOf(job),
        [ANNOTATIONS.mainPod]: mainPodOf(job),
        ...(job.plan.hostList ? { [ANNOTATIONS.hostList]: formatHostListRule(job.plan.hostList) } : {}),
        ...(watch ? { [ANNOTATIONS.watch]: JSON.stringify(watch) } : {}),
      },
    },
    data: { job: JSON.stringify(job), status: JSON.stringify(firstStatus(job)) },
  };
}

/** What the watcher has to look out for, as the job's policy has it; undefined: nothing. */
export function watchRulesOf({ plan: { policy } }: TrainingJob): WatchRules | undefined {
  const { annotation, log, stalledAfterMs } = policy?.progress ?? {};
  const acknowledgedBy = policy?.checkpoint?.acknowledgedBy;
  const tells = annotation !== undefined || log !== undefined;
  if (!tells && !acknowledgedBy) return undefined;
  return {
    ...(tells ? { progress: { annotation, log }, everyMs: toldEvery(stalledAfterMs) } : {}),
    ...(acknowledgedBy ? { acknowledgedBy } : {}),
  };
}

/** Often enough that a job that gets on is not taken for one that has stalled: what is told costs history. */
const toldEvery = (stalledAfterMs: number | undefined) =>
  stalledAfterMs === undefined
    ? EVERY_MS.usual
    : Math.min(Math.max(Math.round(stalledAfterMs / 3), EVERY_MS.least), EVERY_MS.most);

const EVERY_MS = { usual: 10_000, least: 1_000, most: 60_000 };

function mainContainersOf(job: TrainingJob): string {
  const framework = frameworkOf(job);
  return job.roles
    .map(({ name, template }) => `${name.toLowerCase()}=${mainContainerOf(template, framework).name}`)
    .join(',');
}

/** The first of the kind's master role; where a kind has none, of its workers. */
export function mainPodOf(job: TrainingJob): string {
  const name = frameworkOf(job).masterRole?.(job.roles) ?? 'Worker';
  const role = job.roles.find((one) => one.name.toLowerCase() === name.toLowerCase()) ?? job.roles[0]!;
  return nameOf(job, { role, index: 0 });
}

/** What is recorded until the workflow has something newer to say. */
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
