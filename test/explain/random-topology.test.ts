import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LABELS } from '../../contracts/labels.ts';
import { TIMES } from '../times.ts';
import { aNode, answerTo, specOf, usedBy, wanted } from './situations.ts';

/** Terms between pods, beside a scheduler that places one pod after the other wherever it may. */

const HOST = 'kubernetes.io/hostname';

const A_NODE = fc.record({
  zone: fc.constantFrom(undefined, 'a', 'b', 'c'),
  gpus: fc.integer({ min: 0, max: 3 }),
  /** A pod of others is there, which is about pods of one role. */
  repels: fc.constantFrom(undefined, undefined, undefined, 'master', 'worker'),
});
const A_TERM = fc.oneof(
  fc.record({ kind: fc.constant('podAntiAffinity' as const), key: fc.constantFrom('zone', HOST) }),
  fc.record({ kind: fc.constant('podAffinity' as const), key: fc.constantFrom('zone', HOST) }),
  fc.record({
    kind: fc.constant('spread' as const),
    key: fc.constantFrom('zone', HOST),
    maxSkew: fc.integer({ min: 1, max: 2 }),
    minDomains: fc.constantFrom(undefined, 2, 3),
  }),
);
const A_ROLE = fc.record({
  terms: fc.uniqueArray(A_TERM, { maxLength: 2, selector: ({ kind }) => kind }),
  /** Whom its terms are about. */
  of: fc.constantFrom('job', 'master', 'worker'),
  gpus: fc.integer({ min: 0, max: 2 }),
});

type RandomNode = typeof A_NODE extends fc.Arbitrary<infer T> ? T : never;
type RandomTerm = typeof A_TERM extends fc.Arbitrary<infer T> ? T : never;
type RandomRole = typeof A_ROLE extends fc.Arbitrary<infer T> ? T : never;

interface Pods extends RandomRole {
  readonly role: 'master' | 'worker';
  readonly count: number;
}

const selectorOf = (of: RandomRole['of']) => ({
  matchLabels: { [LABELS.job]: 'train', ...(of === 'job' ? {} : { [LABELS.role]: of }) },
});

function specOfRole({ terms, of, gpus }: RandomRole) {
  const labelSelector = selectorOf(of);
  const affinity = Object.fromEntries(
    terms.flatMap(({ kind, key }) =>
      kind === 'spread'
        ? []
        : [
            [
              kind,
              { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: key, labelSelector }] },
            ] as const,
          ],
    ),
  );
  const topologySpreadConstraints = terms.flatMap(({ kind, key, ...more }) =>
    kind === 'spread'
      ? [{ topologyKey: key, whenUnsatisfiable: 'DoNotSchedule', labelSelector, ...more }]
      : [],
  );
  return specOf(gpus, { affinity, topologySpreadConstraints });
}

interface World {
  readonly nodes: readonly RandomNode[];
  readonly pods: readonly Pods[];
  /** By node and role. */
  readonly placed: readonly (readonly number[])[];
}

const isAbout = ({ of }: RandomRole, { role }: Pods) => of === 'job' || of === role;
const domainOf = (node: number, key: string, { nodes }: World) =>
  key === HOST ? `node-${node}` : nodes[node]!.zone;

/** How many pods that terms of a role are about are in a domain. */
const inDomain = (of: Pods, key: string, value: string, world: World): number =>
  world.placed.reduce(
    (sum, counts, node) =>
      domainOf(node, key, world) === value
        ? sum + counts.reduce((all, count, index) => all + (isAbout(of, world.pods[index]!) ? count : 0), 0)
        : sum,
    0,
  );

/** Whether terms let a pod on a node, as Kubernetes decides it. */
function mayRun(node: number, own: Pods, world: World): boolean {
  const { nodes, pods, placed } = world;
  if (nodes[node]!.repels === own.role) return false;
  const keepsAway = pods.some((other, index) =>
    other.terms.some(
      ({ kind, key }) =>
        kind === 'podAntiAffinity' &&
        isAbout(other, own) &&
        placed.some(
          (counts, at) =>
            counts[index]! > 0 &&
            domainOf(at, key, world) !== undefined &&
            domainOf(at, key, world) === domainOf(node, key, world),
        ),
    ),
  );
  return !keepsAway && own.terms.every((term) => meets(node, { own, term, world }));
}

function meets(node: number, { own, term, world }: { own: Pods; term: RandomTerm; world: World }): boolean {
  const value = domainOf(node, term.key, world);
  const count = (name: string) => inDomain(own, term.key, name, world);
  if (term.kind === 'podAntiAffinity') return value === undefined || count(value) === 0;
  if (value === undefined) return false;
  const domains = [...new Set(world.nodes.flatMap((_, at) => domainOf(at, term.key, world) ?? []))];
  if (term.kind === 'podAffinity')
    return count(value) > 0 || (isAbout(own, own) && domains.every((name) => count(name) === 0));
  const needsKeys = own.terms.filter(({ kind }) => kind === 'spread').map(({ key }) => key);
  const eligible = world.nodes.flatMap((_, at) =>
    needsKeys.every((key) => domainOf(at, key, world) !== undefined) ? [domainOf(at, term.key, world)!] : [],
  );
  const counted = [...new Set(eligible)];
  const least = counted.length < (term.minDomains ?? 1) ? 0 : Math.min(...counted.map(count));
  return count(value) + (isAbout(own, own) ? 1 : 0) - least <= term.maxSkew;
}

/** The numbers of pods that end up with a node, whatever the scheduler chooses. */
function outcomes(nodes: readonly RandomNode[], pods: readonly Pods[]): ReadonlySet<number> {
  const ends = new Set<number>();
  const seen = new Set<string>();
  const place = (placed: World['placed']): void => {
    const key = JSON.stringify(placed);
    if (seen.has(key)) return;
    seen.add(key);
    const steps = pods.flatMap((own, index) => {
      if (placed.reduce((sum, counts) => sum + counts[index]!, 0) === own.count) return [];
      return nodes.flatMap(({ gpus }, node) => {
        const used = placed[node]!.reduce((sum, count, of) => sum + count * pods[of]!.gpus, 0);
        if (used + own.gpus > gpus || !mayRun(node, own, { nodes, pods, placed })) return [];
        return [placed.with(node, placed[node]!.with(index, placed[node]![index]! + 1))];
      });
    });
    if (steps.length === 0) ends.add(placed.flat().reduce((a, b) => a + b, 0));
    for (const step of steps) place(step);
  };
  place(nodes.map(() => pods.map(() => 0)));
  return ends;
}

function compare(nodes: readonly RandomNode[], pods: readonly Pods[]): void {
  const { fits, reasons } = answerTo({
    nodes: nodes.map(({ zone, gpus }, index) =>
      aNode(index, { gpus, ...(zone ? { labels: { zone } } : {}) }),
    ),
    others: nodes.flatMap(({ repels }, index) =>
      repels
        ? [
            usedBy({
              ...{ node: `node-${index}`, gpus: 0, namespace: 'ml' },
              spec: specOfRole({
                ...{ of: repels, gpus: 0 },
                terms: [{ kind: 'podAntiAffinity', key: HOST }],
              }),
            }),
          ]
        : [],
    ),
    pods: pods.flatMap((own) => wanted(own.count, specOfRole(own), own.role)),
  });
  const ends = outcomes(nodes, pods);
  const all = pods.reduce((sum, { count }) => sum + count, 0);
  if (fits === 'yes') expect([...ends]).toEqual([all]);
  else if (fits === 'no') expect([...ends]).not.toContain(all);
  else expect(reasons[0]!.code).toBe('NotComputed');
}

const NODES = fc.array(A_NODE, { minLength: 1, maxLength: 4 });

it('what is certain of pods that are alike is what any scheduler finds', () => {
  fc.assert(
    fc.property(NODES, A_ROLE, fc.integer({ min: 1, max: 4 }), (nodes, role, count) => {
      compare(nodes, [{ ...role, role: 'worker', count }]);
    }),
    { numRuns: 250 * TIMES },
  );
});

it('what is certain of pods of two forms is what any scheduler finds', () => {
  fc.assert(
    fc.property(NODES, A_ROLE, A_ROLE, fc.integer({ min: 1, max: 3 }), (nodes, master, worker, count) => {
      compare(nodes, [
        { ...master, role: 'master', count: 1 },
        { ...worker, role: 'worker', count },
      ]);
    }),
    { numRuns: 250 * TIMES },
  );
});
