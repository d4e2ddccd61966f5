import type { Dependencies } from './dependencies.ts';

/** The job belongs to another cluster than the one that this worker writes to. */
export class WrongClusterError extends Error {
  override readonly name = 'WrongClusterError';
}

/**
 * Throws if the job belongs to another cluster. Two clusters that share a task queue receive each other's activities.
 * Temporal retries the activity until a worker of the right cluster takes it.
 */
export async function verifyCluster(
  { clusterId }: Pick<Dependencies, 'clusterId'>,
  request: { readonly clusterId?: string },
): Promise<void> {
  if (request.clusterId === undefined) return;
  const own = await clusterId();
  if (own === undefined || own === request.clusterId) return;
  throw new WrongClusterError(
    `the job runs in Kubernetes cluster ${request.clusterId}, but this worker serves ${own}: give each cluster its own task queue (SIGNALBOX_TASK_QUEUE)`,
  );
}
