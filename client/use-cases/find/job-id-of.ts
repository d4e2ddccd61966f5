import { workflowIdOf } from '../../../contracts/labels.ts';
import { RefusedError } from '../../errors/errors.ts';
import type { JobSelector } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';

/** Returns the job that a selector names, and asks no server. */
export function jobIdOf(selector: JobSelector, ports: Pick<ClientPorts, 'namespace'>): JobId {
  if (selector.run !== undefined)
    throw new RefusedError('run: expected none, as `job` asks no server. Use `find`.');
  if ('workflowId' in selector) {
    const { workflowId, runId } = selector;
    return { workflowId, runId, firstRunId: runId };
  }
  const { name, namespace = ports.namespace } = selector;
  return { workflowId: workflowIdOf({ name, namespace }) };
}
