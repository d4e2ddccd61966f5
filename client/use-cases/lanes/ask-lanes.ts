import type { ClusterClient } from '../../../cluster/client.ts';
import { ApiError, isTransient } from '../../../cluster/errors.ts';
import { LanesConfigError } from '../../../cluster/read-lanes.ts';
import { LANES_EXPECTED, type LanesReference } from '../../../contracts/lane-request.ts';
import { LanesError, RefusedError, ServerAwayError } from '../../errors/errors.ts';
import type { ClientPorts } from '../../servers/ports.ts';

export type LanesPorts = Pick<ClientPorts, 'cluster' | 'lanes'>;

/** Asks the cluster about the lanes of the installation. Throws errors of this library. */
export async function askLanes<T>(
  { cluster: connect, lanes }: LanesPorts,
  work: (cluster: ClusterClient, lanes: LanesReference) => Promise<T>,
): Promise<T> {
  if (!lanes) throw new LanesError('No lanes are known.', { remedy: UNKNOWN });
  const cluster = await connect();
  try {
    return await work(cluster, lanes);
  } catch (error) {
    throw asClientError(error, cluster.server, lanes);
  }
}

const UNKNOWN = `Expected SIGNALBOX_LANES, --lanes or the setting \`lanes\`: ${LANES_EXPECTED}, the one that the workers use.`;

function asClientError(cause: unknown, server: string, { namespace, name }: LanesReference): unknown {
  if (cause instanceof LanesConfigError) return new LanesError(`${cause.message}.`, { cause });
  if (isTransient(cause)) return new ServerAwayError('Kubernetes', server, cause);
  if (!(cause instanceof ApiError)) return cause;
  const remedy = `You need the right to read and, to close lanes, to patch ConfigMap ${namespace}/${name}.`;
  return new RefusedError(`The cluster refused the request: ${cause.detail}.`, { cause, remedy });
}
