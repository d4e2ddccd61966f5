import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { explainSituation } from '../../explain/explain.ts';
import { TIMES } from '../times.ts';
import { answerTo, type Choice, nodes, situation, specOf, usedBy, wanted } from './situations.ts';

/** What holds for every cluster. */

const A_NODE = fc.record({
  gpus: fc.integer({ min: 0, max: 8 }),
  used: fc.integer({ min: 0, max: 8 }),
  leaving: fc.integer({ min: 0, max: 4 }),
  isCordoned: fc.boolean(),
  isReady: fc.boolean(),
  taint: fc.constantFrom(undefined, 'a', 'b'),
  pool: fc.constantFrom('x', 'y'),
});

type RandomNode = typeof A_NODE extends fc.Arbitrary<infer T> ? T : never;

const A_CLUSTER = fc.array(A_NODE, { maxLength: 5 });
const A_SHAPE = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  gpus: fc.integer({ min: 0, max: 8 }),
  pool: fc.constantFrom(undefined, 'x', 'y'),
});

type RandomShape = typeof A_SHAPE extends fc.Arbitrary<infer T> ? T : never;

function clusterOf(cluster: readonly RandomNode[]): Pick<Choice, 'nodes' | 'others'> {
  return {
    nodes: cluster.flatMap(({ pool, ...node }, index) =>
      nodes(1, { ...node, name: `node-${index}`, labels: { pool } }),
    ),
    others: cluster.flatMap(({ used, leaving }, index) => {
      const node = `node-${index}-0`;
      return [
        usedBy({ node, gpus: used }),
        usedBy({ node, gpus: leaving, deletedAt: '2026-11-27T11:59:00Z' }),
      ];
    }),
  };
}

const specOfShape = ({ gpus, pool }: RandomShape) => ({
  ...specOf(gpus),
  ...(pool ? { nodeSelector: { pool } } : {}),
});

const podsOf = (shapes: readonly RandomShape[]) =>
  shapes.flatMap((shape, index) => wanted(shape.count, specOfShape(shape), `role-${index}`));

/** What is free on the nodes that the pods may use, as a person would count it. */
const freeFor = (cluster: readonly RandomNode[], shape: RandomShape): number[] =>
  cluster.map((node) => (isOpen(node, shape) ? node.gpus - node.used - node.leaving : 0));

/** Whether there is any way to place the pods: tries all of them. */
function canPlace(cluster: readonly RandomNode[], shapes: readonly RandomShape[]): boolean {
  const pods = shapes.flatMap((shape) => Array.from({ length: shape.count }, () => shape));
  const left = cluster.map(({ gpus, used, leaving }) => gpus - used - leaving);
  const place = (index: number): boolean => {
    const pod = pods[index];
    if (!pod) return true;
    return cluster.some((one, node) => {
      if (!isOpen(one, pod) || (pod.gpus > 0 && left[node]! < pod.gpus)) return false;
      left[node]! -= pod.gpus;
      const found = place(index + 1);
      left[node]! += pod.gpus;
      return found;
    });
  };
  return place(0);
}

const isOpen = (node: RandomNode, { pool }: RandomShape) =>
  node.isReady && !node.isCordoned && !node.taint && (!pool || pool === node.pool);

const RUNS = { numRuns: 150 * TIMES };

describe('a random cluster', () => {
  it('has each node in exactly one class, and gives the same answer twice', () => {
    fc.assert(
      fc.property(A_CLUSTER, fc.array(A_SHAPE, { minLength: 1, maxLength: 3 }), (cluster, shapes) => {
        const choice = { ...clusterOf(cluster), pods: podsOf(shapes), minMember: 2 };
        const given = situation(choice);
        expect(explainSituation(given)).toEqual(explainSituation(given));
        answerTo(choice);
      }),
      RUNS,
    );
  });

  it('has room for as many equal pods as can be counted', () => {
    fc.assert(
      fc.property(A_CLUSTER, A_SHAPE, fc.integer({ min: 1, max: 12 }), (cluster, shape, count) => {
        fc.pre(shape.gpus > 0);
        const pods = wanted(count, specOfShape(shape));
        const { placements, fits } = answerTo({ ...clusterOf(cluster), pods, minMember: count });
        const room = freeFor(cluster, shape)
          .map((free) => Math.max(0, Math.floor(free / shape.gpus)))
          .reduce((a, b) => a + b, 0);
        expect(placements[0]!.room).toBe(Math.min(room, count));
        expect(fits).toBe(room >= count ? 'yes' : 'no');
      }),
      RUNS,
    );
  });

  it('is said to fit different pods, or not to, only where that is true', () => {
    fc.assert(
      fc.property(A_CLUSTER, fc.array(A_SHAPE, { minLength: 2, maxLength: 3 }), (cluster, shapes) => {
        const { fits } = answerTo({ ...clusterOf(cluster), pods: podsOf(shapes), minMember: 9 });
        if (fits !== 'unknown') expect(fits).toBe(canPlace(cluster, shapes) ? 'yes' : 'no');
      }),
      RUNS,
    );
  });

  it('gives a reason whenever pods find no room, and none when they do', () => {
    fc.assert(
      fc.property(A_CLUSTER, A_SHAPE, (cluster, shape) => {
        const { reasons, fits } = answerTo({ ...clusterOf(cluster), pods: podsOf([shape]) });
        expect(reasons.length > 0).toBe(fits !== 'yes');
      }),
      RUNS,
    );
  });
});
