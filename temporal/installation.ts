import type { Client } from '@temporalio/client';

/**
 * Returns the id of this installation of signalbox: the UUID that the server generated for its Temporal namespace.
 * Unlike names and addresses it is unique, and it stays when a namespace fails over to another Temporal cluster.
 */
export async function installationOf({ workflowService, options: { namespace } }: Client): Promise<string> {
  const { namespaceInfo } = await workflowService.describeNamespace({ namespace });
  if (!namespaceInfo?.id) throw new Error(`Temporal returned no id for its namespace ${namespace}`);
  return namespaceInfo.id;
}
