import { errorCode } from '../contracts/error-code.ts';
import { DEFAULT_TASK_QUEUE } from '../contracts/messages.ts';
import { orAborted } from './abort.ts';
import type { CallOptions } from './client-settings.ts';
import { currentUser } from './current-user.ts';
import type { ConnectionSettings } from './environment.ts';
import { ServerAwayError } from './errors.ts';
import type { OtherServers } from './other-servers.ts';
import type { TemporalJobs } from './temporal-jobs.ts';

/** Connects to Temporal. Only this loads Temporal's client. */
export async function connectJobs(
  settings: ConnectionSettings,
  servers: OtherServers,
  { timeout, signal }: CallOptions,
): Promise<TemporalJobs> {
  const [{ connectTemporal }, { TemporalJobs }] = await Promise.all([
    import('../temporal/connection.ts'),
    import('./temporal-jobs.ts'),
  ]);
  const user = settings.submittedBy ?? currentUser();
  const connecting = connectTemporal(settings.temporal, { connectTimeout: timeout, identity: user });
  try {
    const temporal = await orAborted(connecting, signal);
    return new TemporalJobs({
      temporal,
      temporalAddress: settings.temporal.address,
      cluster: () => servers.cluster(),
      evidence: () => servers.evidence(),
      user,
      taskQueue: settings.taskQueue ?? DEFAULT_TASK_QUEUE,
    });
  } catch (error) {
    if (signal?.aborted) connecting.then(({ connection }) => connection.close()).catch(() => undefined);
    if (signal?.aborted || isConfigurationError(error)) throw error;
    throw new ServerAwayError('Temporal', settings.temporal.address, error);
  }
}

/** A missing certificate or module has a clear error message of its own. */
const isConfigurationError = (error: unknown) =>
  ['ENOENT', 'EACCES', 'ERR_MODULE_NOT_FOUND'].includes(errorCode(error) ?? '') || error instanceof TypeError;
