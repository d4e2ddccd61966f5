import { describe, expect, it } from '@jest/globals';
import type { PodSpec } from '../../contracts/kubernetes.ts';
import { avoidNodes } from '../../resources/avoid-nodes.ts';

const not = (node: string) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] });
const expression = { key: 'gpu', operator: 'In', values: ['a100'] };
const field = { key: 'metadata.name', operator: 'In', values: ['gpu-1'] };
const aSpec = (affinity?: object): PodSpec => ({ containers: [], ...(affinity ? { affinity } : {}) });
const requiring = (...nodeSelectorTerms: object[]) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
});
const preferring = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] };

describe('a pod that avoids nodes', () => {
  const table: readonly [what: string, given: object | undefined, wanted: object][] = [
    [
      'without an affinity gets one, with a requirement for each node',
      undefined,
      requiring({ matchFields: [not('a'), not('b')] }),
    ],
    [
      'with alternatives avoids them by each',
      requiring({ matchExpressions: [expression] }, { matchFields: [field] }),
      requiring(
        { matchExpressions: [expression], matchFields: [not('a'), not('b')] },
        { matchFields: [field, not('a'), not('b')] },
      ),
    ],
    [
      'keeps a term without requirements, which no node matches',
      requiring({}, { matchExpressions: [expression] }),
      requiring({}, { matchExpressions: [expression], matchFields: [not('a'), not('b')] }),
    ],
    [
      'keeps what it prefers, and its other affinities',
      { nodeAffinity: preferring, podAntiAffinity: { x: 1 } },
      {
        nodeAffinity: { ...preferring, ...requiring({ matchFields: [not('a'), not('b')] }).nodeAffinity },
        podAntiAffinity: { x: 1 },
      },
    ],
    [
      'with an empty list of alternatives gets one',
      requiring(),
      requiring({ matchFields: [not('a'), not('b')] }),
    ],
  ];
  it.each(table)('%s', (_, given, wanted) => {
    expect(avoidNodes(aSpec(given), ['a', 'b'])).toEqual(aSpec(wanted));
  });

  it('is unchanged if there is no node to avoid', () => {
    const spec = aSpec(requiring({ matchExpressions: [expression] }));
    expect(avoidNodes(spec, [])).toBe(spec);
  });
});
