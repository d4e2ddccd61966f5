import type { Client } from '@temporalio/client';
import { isAboutMissingNamespace, missingNamespace } from './missing-namespace.ts';

/**
 * Returns the id of this installation of signalbox: the UUID that the server generated for its Temporal namespace.
 * Unlike names and addresses it is unique, and it stays when a namespace fails over to another Temporal cluster.
 */
export async function installationOf({ workflowService, options: { namespace } }: Client): Promise<string> {
  const { namespaceInfo } = await workflowService.describeNamespace({ namespace });
  if (!namespaceInfo?.id) throw new Error(`Temporal returned no id for its namespace ${namespace}`);
  return namespaceInfo.id;
}

/** As `installationOf`, for processes: throws `NoNamespaceError` if there is no such namespace. */
export const ownInstallation = (client: Client): Promise<string> =>
  installationOf(client).catch((error: unknown) => {
    if (!isAboutMissingNamespace(error)) throw error;
    throw new NoNamespaceError(client.options.namespace, error);
  });

/** Temporal has no namespace of this name. */
class NoNamespaceError extends Error {
  override readonly name = 'NoNamespaceError';
  readonly code = 'NoNamespace';
  readonly remedy: string;

  constructor(namespace: string, cause: unknown) {
    const { message, remedy } = missingNamespace(namespace);
    super(message, { cause });
    this.remedy = remedy;
  }
}
