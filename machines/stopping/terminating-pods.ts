import { formatFinalizers, type StuckPod } from '../../contracts/stuck-pod.ts';
import type { Cause } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import { whyNoneIsLeft } from '../nodes/left-behind.ts';
import { overduePods } from './stuck-pods.ts';

/** Returns the cause for pods that do not terminate: their node is dead, or their grace period is over. */
export function terminatingCause(context: JobContext): Cause | undefined {
  const { digest } = context;
  const overdue = overduePods(context);
  // Pods on a cordoned node terminate normally.
  const dead = (digest?.endangered ?? []).filter(({ trouble }) => trouble !== 'Cordoned');
  const troubles = new Map(dead.map(({ uid, trouble }) => [uid, trouble]));
  const stuck = (digest?.terminating ?? []).filter(({ uid }) => troubles.has(uid));
  const [first = overdue[0], ...others]: readonly StuckPod[] = stuck;
  if (!first) return undefined;
  const trouble = stuck[0] && troubles.get(stuck[0].uid);
  const more = stuck[0] ? others.length : overdue.length - 1;
  const message = `waiting for ${first.pod}${whereOf(first, trouble)}${more > 0 ? `, and ${more} more,` : ''} to ${heldBy(first, trouble) ?? 'terminate'}${whyNotForced(context, first)}`;
  return { reason: 'PodsTerminating', message, pod: first.pod, node: first.node };
}

function whyNotForced(context: JobContext, { uid }: StuckPod): string {
  const isSilent = context.digest?.endangered?.some((pod) => pod.uid === uid && pod.isSilent);
  const why = isSilent ? whyNoneIsLeft(context) : undefined;
  return why ? `; it is not deleted by force: ${why}` : '';
}

const whereOf = ({ node }: StuckPod, trouble: string | undefined) =>
  node ? ` on node ${node}${trouble ? ` (${trouble})` : ''}` : '';

function heldBy({ heldBy: finalizers }: StuckPod, trouble: string | undefined): string | undefined {
  if (!finalizers || trouble) return undefined;
  return `be removed: its containers have ended, but it has ${formatFinalizers(finalizers)}`;
}
