import type { Crash } from '../../contracts/digest.ts';
import type { Cause } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import { placeOfEnd } from './place-of-end.ts';
import { reasonText } from './reason-text.ts';

/** Describes a container that exits with an error and that the kubelet restarts in place. */
export function explainCrash({
  pod,
  node,
  container,
  exitCode,
  signal,
  reason,
  message,
  restarts,
  pods,
}: Crash) {
  const where = node ? `${pod} on node ${node}` : pod;
  const by = signal ? `, signal ${signal}` : '';
  const said = reason ? reasonText({ reason, message }) : '';
  const times = restarts === 1 ? 'once' : `${restarts} times`;
  const more = pods > 1 ? `; so were containers of ${pods - 1} more pods` : '';
  return `${where}: container ${container} exited with code ${exitCode}${by}${said}, restarted in place ${times}${more}`;
}

/** Returns the cause of a job that waits for a container to restart. */
export function crashCause({ digest }: JobContext): Cause | undefined {
  const crash = digest?.crash;
  if (!crash || !digest.restarted?.length) return undefined;
  return { reason: 'ContainersRestarting', message: explainCrash(crash), ...placeOfEnd(crash) };
}
