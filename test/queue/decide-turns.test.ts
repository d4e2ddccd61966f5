import { describe, expect, it } from '@jest/globals';
import type { Node, Pod } from '../../contracts/kubernetes.ts';
import type { Claims } from '../../explain/claims.ts';
import type { ClaimPlaces } from '../../explain/shape.ts';
import { decideTurns, TURN_IS_OVER_MS, TURN_MS } from '../../queue/decide-turns.ts';
import { newlyMissed } from '../../queue/missed-turns.ts';
import { type Pool, PoolReader } from '../../queue/pool.ts';
import { nodes, specOf, usedBy } from '../explain/situations.ts';
import { aGang, aMember, NOW } from './gated-pods.ts';

function poolOf(cluster: readonly Node[], pods: readonly Pod[], at = NOW, claims?: Pool['claims']) {
  const reader = new PoolReader(at, () => ({}));
  for (const pod of pods) reader.add(pod);
  return reader.pool(cluster, claims);
}

const decideOn = (cluster: readonly Node[], pods: readonly Pod[]) =>
  decideTurns(poolOf(cluster, pods), { mayGive: true });

const verdictOf = (decision: ReturnType<typeof decideTurns>, job: string) =>
  decision.verdicts.get(`anchor-${job}`);

const PENDING = { claim: 'data', why: 'has lost its volume' };

const mounting = (claimName: string, pods: readonly Pod[]): readonly Pod[] =>
  pods.map((pod) => ({
    ...pod,
    spec: { ...pod.spec, volumes: [{ name: claimName, persistentVolumeClaim: { claimName } }] },
  }));

/** A pod of others without a node; at first no scheduler has said anything of it. */
const waitingPod = (gpus: number, { priority = 0, unschedulableFor = 0 } = {}): Pod => {
  const { metadata } = usedBy({ gpus });
  const lastTransitionTime = new Date(NOW - unschedulableFor * 1000).toISOString();
  const said = {
    type: 'PodScheduled',
    status: 'False' as const,
    reason: 'Unschedulable',
    lastTransitionTime,
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata, spec: specOf(gpus, { priority }) },
    status: unschedulableFor > 0 ? { conditions: [said] } : {},
  };
};

describe('the turn of a gated gang', () => {
  it('is given when there is room for all of it', () => {
    const decision = decideOn(nodes(1, { gpus: 2 }), aGang('a', 2));
    expect(decision.turn).toMatchObject({ uid: 'anchor-a', attempt: 1, until: NOW + TURN_MS });
    expect(verdictOf(decision, 'a')).toEqual({
      ...{ attempt: 1, scheduled: 'False', reason: 'Turn' },
      message: 'there is room for the whole gang: its gates are to be lifted',
      lift: { attempt: 1, until: NOW + TURN_MS, roles: ['worker'] },
    });
  });

  it('is not given without room, in the words of `signalbox why`, and passes to a smaller one', () => {
    const older = aGang('big', 3, { createdAt: NOW - 60_000 });
    const cluster = nodes(2, { gpus: 2 });
    const decision = decideOn(cluster, [usedBy({ node: 'node-0', gpus: 2 }), ...older, ...aGang('small', 2)]);
    expect(decision.turn?.uid).toBe('anchor-small');
    expect(verdictOf(decision, 'big')).toEqual({
      ...{ attempt: 1, scheduled: 'False', reason: 'WaitingForRoom' },
      message: expect.stringMatching(
        /^the job needs 3 nvidia.com\/gpu now; .*: 2 of the 3 pods that must find room at once find it now, each needs 1; it is the first in the order$/,
      ),
    });
  });

  it('is not given where its volume cannot be used, or while its claim is not bound', () => {
    const cluster = nodes(2, { gpus: 2 });
    const pods = [...mounting('data', aGang('zonal', 3, { createdAt: NOW - 60_000 })), ...aGang('free', 2)];
    const onOne = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-0'] }] }];
    const turnOf = (places: ClaimPlaces, pending: Claims['pending'] = []) => {
      const claims = new Map([['anchor-zonal', { places, pending, missing: [] }]]);
      return decideTurns(poolOf(cluster, pods, NOW, claims), { mayGive: true });
    };
    const confined = turnOf(new Map([['data', onOne]]));
    expect(confined.turn?.uid).toBe('anchor-free');
    expect(verdictOf(confined, 'zonal')?.message).toMatch(/volume of PersistentVolumeClaim data/);
    const unbound = turnOf(new Map(), [PENDING]);
    expect(unbound.turn?.uid).toBe('anchor-free');
    expect(verdictOf(unbound, 'zonal')?.message).toMatch(
      /^the PersistentVolumeClaim data has lost its volume/,
    );
    // Nor do new nodes help.
    const onQuota = mounting('data', aGang('zonal', 9, { onQuota: true }));
    const claims = new Map([['anchor-zonal', { places: new Map(), missing: [], pending: [PENDING] }]]);
    const decided = decideTurns(poolOf(cluster, onQuota, NOW, claims), { mayGive: true });
    expect([decided.turn, verdictOf(decided, 'zonal')?.message]).toEqual([
      undefined,
      expect.stringMatching(/has lost its volume/),
    ]);
    // Nothing more would be known of these however long it waits.
    for (const place of ['later', 'unknown'] as const)
      expect(turnOf(new Map([['data', place]])).turn?.uid).toBe('anchor-zonal');
  });

  it('goes to the oldest of equal ones, and the others learn who is ahead', () => {
    const pods = [...aGang('b', 2), ...aGang('a', 2, { createdAt: NOW - 5_000 }), ...aGang('c', 2)];
    const decision = decideOn(nodes(1), pods);
    expect(decision.turn?.uid).toBe('anchor-a');
    expect(verdictOf(decision, 'c')).toMatchObject({
      reason: 'WaitingForRoom',
      message: 'there is room for it; job/ml/a is being placed; 2 gangs are ahead of it',
    });
  });

  it('keeps the place of a gang that was made anew, and respects priorities before ages', () => {
    const first = aGang('again', 2, { attempt: 2, queuedSince: NOW - 60_000 });
    expect(decideOn(nodes(1), [...aGang('b', 2, { createdAt: NOW - 5_000 }), ...first]).turn).toMatchObject({
      ...{ uid: 'anchor-again', attempt: 2 },
    });
    const urgent = aGang('urgent', 2, { priority: 10 });
    expect(decideOn(nodes(1), [...first, ...urgent]).turn?.uid).toBe('anchor-urgent');
  });

  it('waits while another gang has lost some of its gates, whoever lifted them', () => {
    const half = [aMember({ job: 'half', index: 0, isLifted: true }), aMember({ job: 'half', index: 1 })];
    const decision = decideOn(nodes(4), [...half, ...aGang('b', 2)]);
    expect(decision.turn).toBeUndefined();
    expect(verdictOf(decision, 'half')).toMatchObject({
      reason: 'BeingPlaced',
      // The rest is to be lifted, too, even if the worker that began is gone.
      lift: { attempt: 1, roles: ['worker'] },
    });
    expect(verdictOf(decision, 'b')?.message).toContain('job/ml/half is being placed');
  });

  it('is given again once enough members have nodes: more of them are placed one by one', () => {
    const size = '2-of-3';
    const placed = [0, 1].map((index) => aMember({ job: 'a', index, size, node: 'node-0-0' }));
    const spare = aMember({ job: 'a', index: 2, size, isLifted: true });
    const room = nodes(1, { gpus: 4, name: 'node-0' });
    expect(decideOn(room, [...placed, ...aGang('b', 2)]).turn?.uid).toBe('anchor-b');
    // What a scheduler may place at any moment is not there for a gang.
    expect(decideOn(room, [...placed, spare, ...aGang('b', 2)]).turn).toBeUndefined();
  });

  it('is not given before all members exist, nor while some are being deleted or have gates of others', () => {
    const cases: [Pod[], string][] = [
      [aGang('a', 1, { size: '2-of-2' }), 'CreatingObjects'],
      [[...aGang('a', 2), aMember({ job: 'a', index: 2, isLeaving: true })], 'PodsTerminating'],
      [aGang('a', 2, { gate: 'example.com/approval' }), 'SchedulingGated'],
    ];
    for (const [pods, reason] of cases) {
      const decision = decideOn(nodes(1), pods);
      expect([decision.turn, verdictOf(decision, 'a')?.reason]).toEqual([undefined, reason]);
    }
    expect(verdictOf(decideOn(nodes(1), cases[2]![0]), 'a')?.message).toContain('example.com/approval');
  });

  it('says at once that a gang can never fit', () => {
    expect(verdictOf(decideOn(nodes(1, { gpus: 1 }), aGang('a', 2)), 'a')).toMatchObject({
      reason: 'NeverFits',
      message: expect.stringMatching(/^2 pods must run at once.*; the 1 node of the cluster hold 1 of them/),
    });
  });

  it('leaves room to pods of others that a scheduler may place at any moment, unless it will not', () => {
    const room = nodes(1, { gpus: 2 });
    const turnBeside = (other: Pod) => decideOn(room, [...aGang('a', 2), other]).turn?.uid;
    expect(turnBeside(waitingPod(1))).toBeUndefined();
    expect(turnBeside(waitingPod(1, { unschedulableFor: 10 }))).toBeUndefined();
    expect(turnBeside(waitingPod(1, { unschedulableFor: 60 }))).toBe('anchor-a');
    expect(turnBeside(waitingPod(1, { priority: -1 }))).toBe('anchor-a');
    expect(turnBeside(waitingPod(3))).toBe('anchor-a');
  });

  it('names the roles by what they need, the most demanding first', () => {
    const pods = [
      aMember({ job: 'a', index: 0, role: 'master', gpus: 1 }),
      aMember({ job: 'a', index: 0, role: 'worker', gpus: 4 }),
    ];
    expect(decideOn(nodes(1), pods).turn?.roles).toEqual(['worker', 'master']);
  });
});

describe('a gang that is lifted as soon as quotas have let it in', () => {
  const onQuota = { onQuota: true } as const;
  const room = nodes(1, { gpus: 2 });

  it('has its turn without room, when no other gang fits', () => {
    const big = aGang('big', 4, { ...onQuota, createdAt: NOW - 60_000 });
    const decision = decideOn(room, big);
    expect(decision.turn).toMatchObject({ uid: 'anchor-big', onQuota: true });
    expect(verdictOf(decision, 'big')).toMatchObject({
      reason: 'Turn',
      message: expect.stringContaining(
        'there is no room for the gang: its gates are to be lifted all the same',
      ),
      lift: { attempt: 1, onQuota: true },
    });
    const behind = decideOn(room, [...big, ...aGang('small', 2)]);
    expect(behind.turn?.uid).toBe('anchor-small');
    // Nodes will be added for it: somebody who is told that it never fits would change it.
    expect(verdictOf(behind, 'big')).toMatchObject({
      reason: 'WaitingForRoom',
      message: expect.stringMatching(/4 pods must run at once.*; the 1 node of the cluster hold 2 of them/),
    });
    expect(decideOn(room, aGang('big', 4)).turn).toBeUndefined();
  });

  it('has a turn like any if it fits, and none before all of it is there', () => {
    const fitting = decideOn(room, aGang('a', 2, onQuota)).turn;
    expect([fitting?.uid, fitting?.onQuota]).toEqual(['anchor-a', undefined]);
    expect(decideOn(room, aGang('a', 1, { ...onQuota, size: '4-of-4' })).turn).toBeUndefined();
  });

  it('holds up nobody while it waits for nodes: its pods are then like those of others', () => {
    const waiting = (choice: object) => aGang('big', 4, { ...onQuota, ...choice, isLifted: true });
    const fresh = decideOn(room, [...waiting({}), ...aGang('b', 1)]);
    expect(fresh.turn).toBeUndefined();
    expect(verdictOf(fresh, 'big')).toMatchObject({
      reason: 'WaitingForNodes',
      message: expect.stringContaining('4 pods wait for nodes that are added'),
    });
    expect(verdictOf(fresh, 'b')?.message).not.toContain('is being placed');
    expect(decideOn(room, [...waiting({ unschedulableFor: 60 }), ...aGang('b', 1)]).turn?.uid).toBe(
      'anchor-b',
    );
    const next = decideOn(room, [...waiting({ unschedulableFor: 60 }), ...aGang('c', 4, onQuota)]);
    expect(next.turn).toMatchObject({ uid: 'anchor-c', onQuota: true });
  });

  it('is being placed while some of it has nodes, or still has gates', () => {
    const lifted = aGang('big', 3, { ...onQuota, size: '4-of-4', isLifted: true });
    const others = aGang('b', 1);
    const placed = aMember({ job: 'big', index: 3, size: '4-of-4', node: 'node-0', ...onQuota });
    const half = decideOn(nodes(1), [...lifted, placed, ...others]);
    expect([half.turn, verdictOf(half, 'big')?.reason]).toEqual([undefined, 'BeingPlaced']);
    const held = aMember({ job: 'big', index: 3, size: '4-of-4', ...onQuota });
    const torn = decideOn(nodes(1), [...lifted, held, ...others]);
    expect([torn.turn, verdictOf(torn, 'big')?.lift?.onQuota]).toEqual([undefined, true]);
  });
});

describe('a turn that was given', () => {
  const cluster = nodes(1, { gpus: 4 });
  const both = [...aGang('a', 2), ...aGang('b', 2, { createdAt: NOW + 1 })];
  const given = decideOn(cluster, both);
  const later = (ms: number, pods = both) =>
    decideTurns(poolOf(cluster, pods, NOW + ms), { ...given, mayGive: true });

  it('stays until no worker can use it any more, and then goes to whoever is next', () => {
    expect(later(TURN_MS).verdicts.get('anchor-a')?.lift).toBeDefined();
    const passed = later(TURN_MS + 1);
    expect(passed.turn?.uid).toBe('anchor-a');
    expect(passed.verdicts.get('anchor-a')?.lift).toBeUndefined();
    expect(passed.verdicts.get('anchor-b')?.lift).toBeUndefined();
    const next = later(TURN_IS_OVER_MS + 1);
    expect(next.turn).toMatchObject({ uid: 'anchor-b', until: NOW + TURN_IS_OVER_MS + 1 + TURN_MS });
    const alone = later(TURN_IS_OVER_MS + 1, aGang('a', 2));
    expect(alone.turn?.uid).toBe('anchor-a');
  });

  it('ends with its gang', () => {
    expect(later(1_000, aGang('b', 2)).turn?.uid).toBe('anchor-b');
    const placed = aGang('a', 2, { node: 'node-0' });
    expect(later(1_000, [...placed, ...aGang('b', 2)]).turn?.uid).toBe('anchor-b');
  });

  it('is not given by a leader that has just taken over', () => {
    const decision = decideTurns(poolOf(cluster, both), { mayGive: false });
    expect(decision.turn).toBeUndefined();
    expect(verdictOf(decision, 'a')?.message).toContain('this watcher has just taken over');
  });
});

describe('a gang that is being placed', () => {
  const half = [
    aMember({ job: 'a', index: 0, node: 'node-0' }),
    aMember({ job: 'a', index: 1, isLifted: true }),
  ];

  it('learns who got a node meanwhile', () => {
    const other: Pod = {
      ...usedBy({ node: 'node-0', gpus: 1 }),
      status: {
        conditions: [
          {
            ...{ type: 'PodScheduled', status: 'True' },
            lastTransitionTime: new Date(NOW - 1_000).toISOString(),
          },
        ],
      },
    };
    expect(verdictOf(decideOn(nodes(1, { gpus: 2 }), [...half, other]), 'a')).toEqual({
      ...{ attempt: 1, scheduled: 'False', reason: 'CapacityTaken' },
      message:
        '1 of 2 pods have a node since the gates were lifted; meanwhile others got theirs: 1 pod of namespace vision',
    });
  });

  it('holds up the others only as long as its job can still roll it back', () => {
    const pods = [...half, ...aGang('b', 2)];
    const placingSince = new Map([['anchor-a', NOW]]);
    const at = (ms: number) =>
      decideTurns(poolOf(nodes(1), pods, NOW + ms), { placingSince, mayGive: true }).turn?.uid;
    expect(at(60_000)).toBeUndefined();
    expect(at(120_000)).toBe('anchor-b');
  });
});

it('counts a turn that was not used once, also if it was missed before', () => {
  const missed = (times: number) => new Map([['a', { times, at: 0 }]]);
  expect([newlyMissed(undefined, undefined), newlyMissed(undefined, missed(1))]).toEqual([0, 1]);
  expect([newlyMissed(missed(1), missed(1)), newlyMissed(missed(1), missed(2))]).toEqual([0, 1]);
  expect(newlyMissed(missed(2), undefined)).toBe(0);
});
