import type { Endangered } from '../../contracts/digest.ts';
import type { NodeTrouble } from '../../contracts/policy.ts';
import type { Cause } from '../../contracts/types.ts';
import { timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';
import { mayLeavePods, whyNoneIsLeft } from './left-behind.ts';
import { nextLossAt } from './lost-nodes.ts';

/** Returns the cause of a job whose pods are on troubled nodes. Pods on a cordoned node run normally. */
export function troubledNodesCause(context: JobContext): Cause | undefined {
  const troubled = (context.digest?.endangered ?? []).filter(({ trouble }) => trouble !== 'Cordoned');
  // Sort by number of pods, then by name, so that the result is stable.
  const byNode = [...Map.groupBy(troubled, ({ node }) => node ?? '')].sort(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
  const [most] = byNode;
  if (!most) return undefined;
  const [node, pods] = most;
  const others = byNode.length - 1;
  const more = others > 0 ? `, and ${others} more ${others > 1 ? 'nodes have' : 'node has'} problems` : '';
  const message = `${wordsOn(node, pods)}${more}${lossOf(context, troubled)}`;
  return { reason: 'NodeNotReady', message, node, pod: pods[0]!.pod };
}

function wordsOn(node: string, pods: readonly Endangered[]): string {
  const { trouble, since, pod } = pods[0]!;
  const there = pods.length > 1 ? `${pods.length} pods run there, e.g. ${pod}` : `${pod} runs there`;
  return `node ${node} ${WORDS[trouble]} since ${timeOf(since)}; ${there}`;
}

/** A deleted node counts as not ready. */
const WORDS: Readonly<Record<NodeTrouble, string>> = {
  NotReady: 'is not ready',
  OutOfService: 'is out of service',
  Cordoned: 'is cordoned',
};

function lossOf(context: JobContext, troubled: readonly Endangered[]): string {
  const at = nextLossAt(context);
  if (at !== undefined) return `; its pods count as lost at ${timeOf(at)}`;
  if (!troubled.some(({ isSilent }) => isSilent) || context.lost?.length) return '';
  const why = whyNoneIsLeft(context);
  if (why) return `; the job waits for it: ${why}`;
  return mayLeavePods(context)
    ? '; once Kubernetes deletes its pods, by default after 5 min, the gang restarts without them'
    : '';
}
