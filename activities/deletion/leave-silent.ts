import { Context } from '@temporalio/activity';
import { ApiError } from '../../cluster/errors.ts';
import { NODES, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { isSilentNode } from '../../contracts/node-conditions.ts';
import { totalReplicas } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { inParallel } from '../support/in-parallel.ts';
import { deleteEach } from './delete-pods.ts';

/**
 * Deletes by force what is left of a gang, if all of that was told to stop and is on silent nodes, and some of the gang is
 * gone, without which it makes no step. Asks for the nodes now. Returns whether it did.
 */
export async function leaveSilent(
  dependencies: Dependencies,
  job: TrainingJob,
  left: readonly Pod[],
): Promise<boolean> {
  if (left.length >= totalReplicas(job.roles) || !left.every(isTold)) return false;
  const nodes = new Set(left.map(({ spec }) => spec.nodeName ?? ''));
  if (!(await areSilent(dependencies, [...nodes]))) return false;
  await deleteEach(dependencies, PODS, left, { grace: () => 0 });
  return true;
}

const isTold = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

/** A node that may not be read, or is gone, is not known to be silent. Of the latter Kubernetes removes the pods itself. */
async function areSilent({ cluster, connections }: Dependencies, names: readonly string[]): Promise<boolean> {
  const { cancellationSignal: signal } = Context.current();
  let silent = 0;
  await inParallel(names, { limit: connections, signal }, async (name) => {
    const node = name && (await cluster.find(NODES, undefined, name).catch(whereForbidden));
    if (node && isSilentNode(node)) silent++;
  });
  return silent === names.length;
}

function whereForbidden(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 403) throw error;
}
