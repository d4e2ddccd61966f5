import { matchesTerms, toleratedFor } from './node-selector.ts';
import { mindedTaints, nodeTermText, taintText } from './node-terms.ts';
import { ofShape } from './rule.ts';
import type { NodeView, PodShape, Situation } from './situation.ts';

/** What keeps no pod from a node, and may surprise: what it prefers and no node has, and taints that it tolerates for a while only. */
export const notesOf = ({
  cluster: { notes = [], nodes = [] },
  demand: { shapes },
}: Situation): readonly string[] => [
  ...notes,
  ...new Set(shapes.flatMap((shape) => [...preferences(shape, nodes), ...evictions(shape, nodes)])),
];

function preferences(shape: PodShape, nodes: readonly NodeView[]): readonly string[] {
  const unmet = shape.preferred.filter((term) => !nodes.some((node) => matchesTerms([term], node)));
  return unmet.map(
    (term) => `no node has ${nodeTermText(term)}, which ${ofShape(shape)} pods prefer; they start without it`,
  );
}

function evictions(shape: PodShape, nodes: readonly NodeView[]): readonly string[] {
  const taints = nodes
    .flatMap((node) => mindedTaints(node, shape))
    .filter(({ effect }) => effect === 'NoExecute');
  return [...Map.groupBy(taints, taintText)].flatMap(([text, [taint, ...more]]) => {
    const seconds = toleratedFor(taint!, shape.tolerations);
    if (seconds === undefined) return [];
    const count = more.length + 1;
    return [
      `${count === 1 ? '1 node has' : `${count} nodes have`} the taint ${text}, which ${ofShape(shape)} pods tolerate for ${seconds} s: then they are evicted from there`,
    ];
  });
}
