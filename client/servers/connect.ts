import { DEFAULT_TASK_QUEUE } from '../../contracts/messages.ts';
import { errorCode } from '../../language/error-code.ts';
import { ServerAwayError } from '../errors/errors.ts';
import { orAborted } from './abort.ts';
import type { CallOptions } from './client-settings.ts';
import { currentUser } from './current-user.ts';
import type { ConnectionSettings } from './environment.ts';
import type { OtherServers } from './other-servers.ts';
import type { ClientPorts } from './ports.ts';

/** Connects to Temporal. Only this loads Temporal's client. */
export async function connectPorts(
  settings: ConnectionSettings,
  servers: OtherServers,
  { timeout, signal }: CallOptions,
): Promise<ClientPorts> {
  const { connectTemporal } = await import('../../temporal/connection.ts');
  const { temporal: at, submittedBy: user = currentUser(), validate, lanes } = settings;
  const connecting = connectTemporal(at, { connectTimeout: timeout, identity: user });
  try {
    return {
      temporal: await orAborted(connecting, signal),
      temporalAddress: at.address,
      cluster: () => servers.cluster(),
      evidence: () => servers.evidence(),
      ...{ user, validate, lanes },
      taskQueue: settings.taskQueue ?? DEFAULT_TASK_QUEUE,
      namespace: settings.namespace ?? 'default',
    };
  } catch (error) {
    if (signal?.aborted) connecting.then(({ connection }) => connection.close()).catch(() => undefined);
    if (signal?.aborted || isConfigurationError(error)) throw error;
    throw new ServerAwayError('Temporal', at.address, error);
  }
}

/** A missing certificate or module has a clear error message of its own. */
const isConfigurationError = (error: unknown) =>
  ['ENOENT', 'EACCES', 'ERR_MODULE_NOT_FOUND'].includes(errorCode(error) ?? '') || error instanceof TypeError;
