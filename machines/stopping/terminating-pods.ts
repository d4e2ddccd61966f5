import type { Cause } from '../../contracts/status.ts';
import type { JobContext } from '../model/job-context.ts';
import { overduePods } from './stuck-pods.ts';

/** Returns the cause for pods that do not terminate: their node is dead, or their grace period is over. */
export function terminatingCause(context: JobContext): Cause | undefined {
  const { digest } = context;
  const overdue = overduePods(context);
  // Pods on a cordoned node terminate normally.
  const dead = (digest?.endangered ?? []).filter(({ trouble }) => trouble !== 'Cordoned');
  const troubles = new Map(dead.map(({ uid, trouble }) => [uid, trouble]));
  const stuck = (digest?.terminating ?? []).filter(({ uid }) => troubles.has(uid));
  const [first = overdue[0], ...others] = stuck;
  if (!first) return undefined;
  const trouble = stuck[0] && troubles.get(stuck[0].uid);
  const where = first.node ? ` on node ${first.node}${trouble ? ` (${trouble})` : ''}` : '';
  const more = stuck[0] ? others.length : overdue.length - 1;
  const message = `waiting for ${first.pod}${where}${more > 0 ? `, and ${more} more,` : ''} to terminate`;
  return { reason: 'PodsTerminating', message, pod: first.pod, node: first.node };
}
