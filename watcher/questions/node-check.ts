import pMap from 'p-map';
import type { ClusterClient } from '../../cluster/client.ts';
import { NODES, streamOf } from '../../contracts/kubernetes.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { NodeStore } from '../nodes/node-store.ts';
import { hasEnded } from '../pods/pod-facts.ts';
import { findByName } from './find-by-name.ts';
import type { StreamCheck } from './stream-check.ts';

/** Maximum number of concurrent requests of one check. */
const CONCURRENCY = 4;

/** The nodes of unfinished pods that are in trouble or not well: a digest has only these. */
export function nodeCheck(
  cluster: Pick<ClusterClient, 'list'>,
  nodes: Pick<NodeStore, 'resourceVersion' | 'conditionOf' | 'noticesOf' | 'has'>,
): StreamCheck {
  const isTold = (node: string) => nodes.conditionOf(node) !== undefined || nodes.noticesOf(node).length > 0;
  const inTrouble = ({ pods }: WatchedJob) =>
    new Set(
      [...pods.values()].flatMap((pod) => (pod.node && !hasEnded(pod) && isTold(pod.node) ? [pod.node] : [])),
    );
  return {
    stream: streamOf(NODES),
    concerns: (job) => inTrouble(job).size > 0,
    findBehind: async (jobs) => {
      const names = new Set(jobs.flatMap((job) => [...inTrouble(job)]));
      const isBehind = async (node: string) => ((await isRead(cluster, nodes, node)) ? [] : [node]);
      const behind = new Set((await pMap(names, isBehind, { concurrency: CONCURRENCY })).flat());
      return new Set(jobs.filter((job) => [...inTrouble(job)].some((node) => behind.has(node))));
    },
  };
}

async function isRead(
  cluster: Pick<ClusterClient, 'list'>,
  nodes: Pick<NodeStore, 'resourceVersion' | 'has'>,
  name: string,
): Promise<boolean> {
  const found = await findByName(cluster, NODES, { name });
  if (!found) return !nodes.has(name);
  return Number(found.metadata.resourceVersion) <= (nodes.resourceVersion ?? 0);
}
