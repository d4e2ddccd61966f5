import type { Dependencies } from './dependencies.ts';

/** The job is in another cluster than the one that this worker writes to. */
export class WrongClusterError extends Error {
  override readonly name = 'ElsewhereError';
}

/**
 * Two clusters that share a task queue get each other's activities. What is done for a job of another cluster would be
 * done in the wrong one, so it is left to a worker of the right one: tried again until such a worker takes it.
 */
export async function verifyCluster(
  { clusterId }: Pick<Dependencies, 'clusterId'>,
  request: { readonly clusterId?: string },
): Promise<void> {
  if (request.clusterId === undefined) return;
  const own = await clusterId();
  if (own === undefined || own === request.clusterId) return;
  throw new WrongClusterError(
    `the job is in the Kubernetes cluster ${request.clusterId}, and this worker serves ${own}: give each cluster a task queue of its own (SIGNALBOX_TASK_QUEUE)`,
  );
}
