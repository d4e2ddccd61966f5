import { MOST_NOTICED_NODES, MOST_NOTICED_PODS, type Noticed } from '../../contracts/digest.ts';
import type { NodeNotice } from '../../contracts/node-notice.ts';
import { compareText } from '../../language/compare-text.ts';
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts';

/** Returns the nodes with unfinished pods of which a source says that they are not well: of each verdict the first notice. */
export function noticedOf(
  pods: Iterable<readonly [uid: string, pod: PodFacts]>,
  noticesOf: (node: string) => readonly NodeNotice[],
): Noticed[] {
  const unfinished = [...pods].filter(([, pod]) => pod.node && !hasEnded(pod));
  const byNode = [...Map.groupBy(unfinished, ([, pod]) => pod.node!)];
  return byNode
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([node, there]) => firstOfVerdicts(noticesOf(node)).map((notice) => ({ node, notice, there })))
    .slice(0, MOST_NOTICED_NODES)
    .map(({ node, notice, there }) => ({
      ...{ node, ...notice },
      pods: there
        .filter(([, { isReplica }]) => isReplica)
        .sort(([, a], [, b]) => compareText(a.name, b.name))
        .slice(0, MOST_NOTICED_PODS)
        .map(([uid, { name, role, index }]) => ({ pod: name, uid, role, index })),
    }));
}

function firstOfVerdicts(notices: readonly NodeNotice[]): readonly NodeNotice[] {
  const verdicts = new Set(notices.map(({ verdict }) => verdict));
  return [...verdicts].map((verdict) => notices.find((notice) => notice.verdict === verdict)!);
}
