import type { Client } from '@temporalio/client';

/**
 * Which installation of signalbox this is: the id of its Temporal namespace, a UUID that the server made with it. Names
 * and addresses of two may be alike; the id stays when a namespace fails over to another Temporal cluster.
 */
export async function installationOf({ workflowService, options: { namespace } }: Client): Promise<string> {
  const { namespaceInfo } = await workflowService.describeNamespace({ namespace });
  if (!namespaceInfo?.id) throw new Error(`Temporal gave no id for its namespace ${namespace}`);
  return namespaceInfo.id;
}
