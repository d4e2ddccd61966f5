import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { findClusterId } from '../../cluster/cluster-id.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS, type ConfigMap, NAMESPACES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS, workflowIdOf } from '../../contracts/labels.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { installationOf } from '../../temporal/installation.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { renderedJobsOf } from './workload.ts';

export const CONNECTIONS = 64;
const LANES = { limit: CONNECTIONS, signal: new AbortController().signal };
/** Nobody polls it, so the workflows stay as they were started. */
export const TASK_QUEUE = 'signalbox';
export const TEAM_LABEL = 'example.com/team';
const KINDS = ['PyTorchJob', 'TFJob', 'JAXJob', 'MPIJob', 'XGBoostJob', 'PaddleJob'];
const STATES = [
  ['Running', 'none'],
  ['Pending', 'WaitingForGang'],
  ['Pending', 'Unschedulable'],
  ['Pending', 'QuotaExceeded'],
  ['Starting', 'none'],
  ['Restarting', 'none'],
  ['Suspended', 'none'],
] as const;

interface Servers {
  readonly cluster: ClusterClient;
  readonly temporal: Client;
}

export const nameOfOpenJob = (index: number) => `seen-${index}`;

const nth = <T>(all: readonly T[], index: number): T => all[index % all.length]!;

/** Starts jobs that nobody works on, each with its anchor: in namespaces `team-0` and on, in all states of open jobs. */
export async function openJobs(
  { cluster, temporal }: Servers,
  { jobs: jobCount, namespaces: namespaceCount }: { readonly jobs: number; readonly namespaces: number },
): Promise<void> {
  await registerSearchAttributes(temporal);
  const home = { installation: await installationOf(temporal), clusterId: await findClusterId(cluster) };
  const namespaces = Array.from({ length: namespaceCount }, (_, index) => `team-${index}`);
  await inParallel(namespaces, LANES, async (name) => {
    await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  });
  const [rendered] = renderedJobsOf({ prefix: 'seen', jobs: 1, podsPerJob: 1 }, home);
  const jobs = Array.from({ length: jobCount }, (_, index) => index);
  await inParallel(jobs, LANES, async (index) => {
    const namespace = nth(namespaces, index);
    const name = nameOfOpenJob(index);
    const firstRunId = await startOpenJob(temporal, { namespace, name, index });
    await cluster.create(
      CONFIG_MAPS,
      anchorOf(rendered!.anchor, { namespace, name, index, firstRunId, home }),
    );
  });
}

interface Seen {
  readonly namespace: string;
  readonly name: string;
  readonly index: number;
}

/** Returns its first run id. */
export async function startOpenJob(temporal: Client, { namespace, name, index }: Seen): Promise<string> {
  const [phase, reason] = nth(STATES, index);
  const { firstExecutionRunId } = await temporal.workflow.start(TRAINING_JOB, {
    ...{ workflowId: workflowIdOf({ namespace, name }), taskQueue: TASK_QUEUE, args: [] },
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.kind, value: nth(KINDS, index) },
      { key: SEARCH_ATTRIBUTES.name, value: name },
      { key: SEARCH_ATTRIBUTES.namespace, value: namespace },
      { key: SEARCH_ATTRIBUTES.phase, value: phase },
      { key: SEARCH_ATTRIBUTES.reason, value: reason },
      { key: SEARCH_ATTRIBUTES.attempt, value: 1 },
      { key: SEARCH_ATTRIBUTES.labels, value: [`${TEAM_LABEL}=${namespace}`] },
    ],
  });
  return firstExecutionRunId;
}

function anchorOf(
  { metadata, ...anchor }: ConfigMap,
  { namespace, name, index, firstRunId, home }: Seen & { readonly firstRunId: string; readonly home: Home },
): ConfigMap {
  const annotations = {
    ...metadata.annotations,
    [ANNOTATIONS.workflowId]: workflowIdOf({ namespace, name }),
    [ANNOTATIONS.firstRunId]: firstRunId,
    [ANNOTATIONS.phase]: nth(STATES, index)[0],
  };
  const labels = { ...metadata.labels, [LABELS.job]: name, [LABELS.installation]: home.installation };
  return { ...anchor, metadata: { ...metadata, name: `${name}.signalbox`, namespace, labels, annotations } };
}
