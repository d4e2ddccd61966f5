import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Node, Pod } from '../../contracts/kubernetes.ts';
import { decideTurns, type TurnMemory } from '../../queue/decide-turns.ts';
import type { JobOfGang } from '../../queue/gang.ts';
import { PoolReader } from '../../queue/pool.ts';
import { aNode, nodes, specOf, usedBy } from '../explain/situations.ts';
import { aGang, aMember, NOW } from './gated-pods.ts';

/** What one namespace can do about the gated gangs of another: each row of docs/security.md about these has its tests here. */

it('docs/security.md names what these decisions rest on', () => {
  const rows = readFileSync('docs/security.md', 'utf8').split('\n');
  const decisions = rows.flatMap((row) => /^\| ([^|`]*gated gangs?[^|`]*) \|/.exec(row)?.[1] ?? []);
  expect(decisions).toEqual([
    'which pods are a gated gang',
    'the order of gated gangs',
    'room for a gated gang',
    'which gated gangs are checked in one decision',
    'for how long a gated gang holds up others',
  ]);
});

interface Given {
  readonly at?: number;
  readonly before?: TurnMemory;
  readonly jobOf?: (namespace: string, uid: string) => JobOfGang | undefined;
}

function decideOn(cluster: readonly Node[], pods: readonly Pod[], given: Given = {}) {
  const { at = NOW, before, jobOf = () => ({}) } = given;
  const reader = new PoolReader(at, jobOf);
  for (const pod of pods) reader.add(pod);
  return decideTurns(reader.pool(cluster), { ...before, mayGive: true });
}

const inNamespace = (namespace: string, pods: readonly Pod[]): Pod[] =>
  pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, namespace } }));

const OLD = { createdAt: NOW - 3_600_000 } as const;
const room = nodes(1, { gpus: 8 });

const verdictOf = (decision: ReturnType<typeof decideOn>, job: string) =>
  decision.verdicts.get(`anchor-${job}`);

describe('gangs that do not fit', () => {
  const never = (count: number, gpusOf: (index: number) => number) =>
    Array.from({ length: count }, (_, index) =>
      inNamespace('evil', aGang(`never-${index}`, 2, { ...OLD, gpus: gpusOf(index) })),
    ).flat();

  it('keep no other from its turn, however many they are, and equal ones are checked once', () => {
    const decision = decideOn(room, [...never(200, () => 1_000), ...aGang('small', 2)]);
    expect(decision.turn?.uid).toBe('anchor-small');
    expect(verdictOf(decision, 'never-199')?.reason).toBe('NeverFits');
    expect(decision.checked?.verdicts.size).toBe(2);
  });

  it('take no part of what another namespace has checked, if all are different', () => {
    const decision = decideOn(room, [...never(200, (index) => 1_000 + index), ...aGang('small', 2)]);
    expect(decision.turn?.uid).toBe('anchor-small');
    expect(decision.checked?.verdicts.size).toBe(50);
    expect(verdictOf(decision, 'never-199')?.message).toMatch(/^it is checked in one of the next decisions/);
  });

  it('are all checked within some decisions: each begins where the last one ended', () => {
    // The last of them fits, and comes after all others of its namespace.
    const many = [...never(200, (index) => 1_000 + index), ...inNamespace('evil', aGang('small', 2))];
    let before: TurnMemory | undefined;
    let decisions = 0;
    do {
      before = decideOn(room, many, { before, at: NOW + decisions });
      decisions++;
    } while (!before.turn && decisions < 10);
    expect([before.turn?.uid, decisions]).toEqual(['anchor-small', 5]);
  });

  it('are checked again only when what their verdict rests on has changed', () => {
    const cluster = [aNode(0, { name: 'gpus', gpus: 4 }), aNode(1, { name: 'plain', gpus: 0 })];
    const gangs = [...aGang('never', 2, { gpus: 9 }), ...aGang('full', 4)];
    const used = (node: string, gpus: number) => usedBy({ node, gpus });
    const first = decideOn(cluster, [...gangs, used('gpus', 1)]);
    const rounds = (decision: typeof first) =>
      [...decision.checked!.verdicts.values()].map(({ round }) => round);
    expect(rounds(first)).toEqual([1, 1]);
    const plain = decideOn(cluster, [...gangs, used('gpus', 1), used('plain', 0)], { before: first });
    expect(rounds(plain)).toEqual([1, 1]);
    const more = decideOn(cluster, [...gangs, used('gpus', 2)], { before: plain });
    expect(rounds(more).toSorted()).toEqual([1, 3]);
    const larger = decideOn([...cluster, aNode(2, { gpus: 9 })], gangs, { before: more });
    expect(rounds(larger)).toEqual([4, 4]);
  });
});

describe('pods of others without a node', () => {
  const unseen = (age: number, schedulerName = 'no-such-scheduler'): Pod => ({
    ...usedBy({ gpus: 8 }),
    metadata: { name: 'x', namespace: 'rv', creationTimestamp: new Date(NOW - age).toISOString() },
    spec: { ...specOf(8), schedulerName },
  });

  it('take room only for some minutes, if no scheduler looks at them, and the gang is told whose they are', () => {
    const young = decideOn(room, [...aGang('a', 2), unseen(60_000)]);
    expect(young.turn).toBeUndefined();
    expect(verdictOf(young, 'a')?.message).toContain(
      'counted as placed, because a scheduler may place them at any moment: 1 pod of namespace rv',
    );
    expect(decideOn(room, [...aGang('a', 2), unseen(200_000)]).turn?.uid).toBe('anchor-a');
  });
});

describe('what pods say of their gang', () => {
  const mine = aGang('mine', 2, { createdAt: NOW - 60_000 });

  it('does not make it older than its anchor', () => {
    const forged = aGang('forged', 2, { queuedSince: 1 });
    const jobOf = (_: string, uid: string) => ({ createdAt: uid === 'anchor-forged' ? NOW - 1_000 : 0 });
    expect(decideOn(room, [...forged, ...mine], { jobOf }).turn?.uid).toBe('anchor-mine');
  });

  it('moves nothing of a gang of another namespace, whose anchor they name', () => {
    const copied = inNamespace('evil', [
      aMember({ job: 'mine', index: 7, attempt: 9, size: '9-of-9' }),
      aMember({ job: 'mine', index: 8, gate: 'example.com/never' }),
    ]);
    const jobOf = (namespace: string) => (namespace === 'ml' ? {} : undefined);
    expect(decideOn(room, [...mine, ...copied], { jobOf }).turn?.uid).toBe('anchor-mine');
  });

  it('makes no gang without a job of this installation', () => {
    const forged = inNamespace('evil', aGang('forged', 2, { queuedSince: 1, priority: 0 }));
    const jobOf = (_: string, uid: string) => (uid === 'anchor-mine' ? {} : undefined);
    const decision = decideOn(room, [...forged, ...mine], { jobOf });
    expect([decision.turn?.uid, verdictOf(decision, 'forged')]).toEqual(['anchor-mine', undefined]);
  });

  it('keeps others waiting no longer than its members may need, whatever size its label names', () => {
    const half = [
      aMember({ job: 'half', index: 0, node: 'node-0', size: '999999-of-999999' }),
      aMember({ job: 'half', index: 1, isLifted: true, size: '999999-of-999999' }),
    ];
    const first = decideOn(room, [...half, ...mine]);
    expect(first.turn).toBeUndefined();
    expect(decideOn(room, [...half, ...mine], { before: first, at: NOW + 90_000 }).turn?.uid).toBe(
      'anchor-mine',
    );
  });

  it('who lifts gates without a turn holds up nobody, and takes room like any pod', () => {
    const waiting = aGang('stray', 2, OLD);
    const first = decideOn(nodes(1, { gpus: 1 }), [...waiting, ...mine]);
    const stray = [waiting[0]!, aMember({ job: 'stray', index: 1, isLifted: true, ...OLD })];
    const wide = decideOn(room, [...stray, ...mine], { before: first, at: NOW + 1 });
    expect(wide.turn?.uid).toBe('anchor-mine');
    const narrow = decideOn(nodes(1, { gpus: 3 }), [...stray, ...mine], { before: first, at: NOW + 1 });
    expect(narrow.turn).toBeUndefined();
    expect(verdictOf(narrow, 'mine')?.message).toContain('2 pods of namespace ml');
  });

  it('who does not use its turns is passed over for longer and longer while others fit', () => {
    const idle = aGang('idle', 2, OLD);
    let before: TurnMemory = decideOn(room, [...idle, ...mine]);
    const turns: (string | undefined)[] = [];
    for (let at = NOW + 1_000; at < NOW + 300_000; at += 1_000) {
      const decision = decideOn(room, [...idle, ...mine], { before, at });
      if (decision.turn && decision.turn.givenAt === at) turns.push(decision.turn.uid);
      before = decision;
    }
    // Neither uses any here: both have their turns.
    expect(new Set(turns)).toEqual(new Set(['anchor-idle', 'anchor-mine']));
    expect(turns[0]).toBe('anchor-mine');
    expect(before.missed?.get('anchor-idle')?.times).toBeGreaterThan(1);
  });
});
