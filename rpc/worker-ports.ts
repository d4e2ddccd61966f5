import type { ClientPorts } from '../client/servers/ports.ts';
import { namespaceOfNameless } from '../contracts/served-namespaces.ts';
import { ownRecords } from './own-records.ts';
import type { RpcServers } from './rpc-servers.ts';

/** Returns the servers that a worker is connected to, as use cases of the client ask them. */
export function workerPorts({ settings, temporal, cluster, evidenceStore }: RpcServers): ClientPorts {
  const evidence = ownRecords(evidenceStore);
  return {
    ...{ temporal, temporalAddress: settings.temporal.address, taskQueue: settings.taskQueue },
    cluster: () => Promise.resolve(cluster),
    evidence: () => Promise.resolve(evidence),
    // A client that submits names its user, and each request its namespace.
    user: settings.workerIdentity ?? 'a worker',
    lanes: settings.lanes,
    namespace: namespaceOfNameless(settings.namespace, settings.cluster.namespaces),
  };
}
