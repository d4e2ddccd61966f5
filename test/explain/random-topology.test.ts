import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LABELS } from '../../contracts/labels.ts';
import { TIMES } from '../times.ts';
import { aNode, answerTo, specOf, wanted } from './situations.ts';

/** Terms between pods of one form, beside a scheduler that places one pod after the other wherever it may. */

const OWN = { matchLabels: { [LABELS.job]: 'train' } };

const A_NODE = fc.record({
  zone: fc.constantFrom(undefined, 'a', 'b', 'c'),
  gpus: fc.integer({ min: 0, max: 2 }),
});
const A_TERM = fc.oneof(
  fc.record({ kind: fc.constant('podAntiAffinity' as const) }),
  fc.record({ kind: fc.constant('podAffinity' as const) }),
  fc.record({
    kind: fc.constant('spread' as const),
    maxSkew: fc.integer({ min: 1, max: 2 }),
    minDomains: fc.constantFrom(undefined, 2, 3),
  }),
);

type RandomNode = typeof A_NODE extends fc.Arbitrary<infer T> ? T : never;
type RandomTerm = typeof A_TERM extends fc.Arbitrary<infer T> ? T : never;

const termOf = ({ kind, ...more }: RandomTerm) =>
  kind === 'spread'
    ? {
        topologySpreadConstraints: [
          { topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: OWN, ...more },
        ],
      }
    : {
        affinity: {
          [kind]: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: OWN }],
          },
        },
      };

/** Whether the term lets a pod on a node, as Kubernetes decides it; `placed`: how many are on each node. */
function mayRun(
  node: number,
  { nodes, placed, term }: { nodes: readonly RandomNode[]; placed: readonly number[]; term: RandomTerm },
): boolean {
  const { zone } = nodes[node]!;
  const inZone = (name: string) =>
    nodes.reduce((sum, one, index) => sum + (one.zone === name ? placed[index]! : 0), 0);
  if (term.kind === 'podAntiAffinity') return zone === undefined || inZone(zone) === 0;
  if (zone === undefined) return false;
  if (term.kind === 'podAffinity') return placed.every((count) => count === 0) || inZone(zone) > 0;
  const zones = [...new Set(nodes.flatMap((one) => one.zone ?? []))];
  const least = zones.length < (term.minDomains ?? 1) ? 0 : Math.min(...zones.map(inZone));
  return inZone(zone) + 1 - least <= term.maxSkew;
}

/** The numbers of pods that end up with a node, whatever the scheduler chooses. */
function outcomes(nodes: readonly RandomNode[], term: RandomTerm, pods: number): ReadonlySet<number> {
  const ends = new Set<number>();
  const place = (placed: readonly number[]): void => {
    const count = placed.reduce((a, b) => a + b, 0);
    const open = nodes.flatMap((node, index) =>
      placed[index]! < node.gpus && mayRun(index, { nodes, placed, term }) ? [index] : [],
    );
    if (count === pods || open.length === 0) ends.add(count);
    else for (const index of open) place(placed.map((each, at) => each + (at === index ? 1 : 0)));
  };
  place(nodes.map(() => 0));
  return ends;
}

it('what is certain of them is what any scheduler finds', () => {
  fc.assert(
    fc.property(
      fc.array(A_NODE, { minLength: 1, maxLength: 4 }),
      A_TERM,
      fc.integer({ min: 1, max: 4 }),
      (nodes, term, count) => {
        const { fits, reasons } = answerTo({
          nodes: nodes.map(({ zone, gpus }, index) =>
            aNode(index, { gpus, ...(zone ? { labels: { zone } } : {}) }),
          ),
          pods: wanted(count, specOf(1, termOf(term))),
        });
        const ends = outcomes(nodes, term, count);
        if (fits === 'yes') expect([...ends]).toEqual([count]);
        else if (fits === 'no') expect([...ends]).not.toContain(count);
        else expect(reasons[0]!.code).toBe('NotComputed');
      },
    ),
    { numRuns: 250 * TIMES },
  );
});
