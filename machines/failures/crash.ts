import type { Crash } from '../../contracts/digest.ts';
import type { Cause } from '../../contracts/status.ts';
import type { JobContext } from '../model/job-context.ts';

/** Containers that end with an error and that their kubelet starts again: what people are told of it. */
export function explainCrash({ pod, node, container, exitCode, signal, reason, restarts, pods }: Crash) {
  const where = node ? `${pod} on node ${node}` : pod;
  const by = signal ? `, signal ${signal}` : '';
  const said = reason ? ` (${reason})` : '';
  const times = restarts === 1 ? 'once' : `${restarts} times`;
  const more = pods > 1 ? `; so were containers of ${pods - 1} more pods` : '';
  return `${where}: container ${container} exited with code ${exitCode}${by}${said}, restarted in place ${times}${more}`;
}

/** The pod and what it ended with, as a cause names them. */
export const placeOfCrash = ({ pod, node, container, exitCode, signal }: Crash) => ({
  ...{ pod, node, container, exitCode, signal },
});

/** What a job waits for in which a container is not back yet. */
export function crashCause({ digest }: JobContext): Cause | undefined {
  const crash = digest?.crash;
  if (!crash || !digest.restarted?.length) return undefined;
  return { reason: 'ContainersRestarting', message: explainCrash(crash), ...placeOfCrash(crash) };
}
