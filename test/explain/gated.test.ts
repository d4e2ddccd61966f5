import { describe, expect, it } from '@jest/globals';
import { GANG_GATE } from '../../contracts/labels.ts';
import { placeAt } from '../../explain/queue-place.ts';
import { Gangs } from '../../queue/gang.ts';
import { lineOf } from '../../queue/line.ts';
import { aGang, aMember, NOW } from '../queue/gated-pods.ts';
import { answerTo, created, nodes, PENDING, specOf, usedBy, waitingPods, wanted } from './situations.ts';

const GATED = { schedulingGates: [{ name: GANG_GATE }] };
const members = {
  pods: created(2, specOf(8, GATED)),
  minMember: 2,
  waiting: waitingPods(2, { gates: [GANG_GATE] }),
};

const FIRST = placeAt(0, ['job/ml/train'], { queue: 'gatedGangs' });

const codesOf = ({ reasons }: ReturnType<typeof answerTo>) => reasons.map(({ code }) => code);

describe('the answer for a gated gang', () => {
  it('is its place in the order while there is room, and not that a gate holds it back', () => {
    const place = placeAt(2, ['job/ml/a', 'job/vision/b', 'job/ml/train'], { queue: 'gatedGangs' });
    const line = { place, placing: 'job/ml/c' };
    const answer = answerTo({ ...members, own: PENDING, cluster: { line } });
    expect(answer.fits).toBe('yes');
    expect(answer.reasons).toEqual([
      {
        ...{ code: 'WaitingForTurn', who: 'nobody' },
        place,
        sentence:
          'position 3 of 3 among the gated gangs; ahead: job/ml/a, job/vision/b; job/ml/c is being placed; its gates are lifted when there is room for all of it',
      },
    ]);
  });

  it('is that room is short, as for any gang, and then its place', () => {
    const answer = answerTo({
      ...members,
      ...{ own: PENDING, nodes: nodes(2), others: [usedBy({ node: 'node-0' })] },
      cluster: { line: { place: FIRST } },
    });
    expect(codesOf(answer)).toEqual(['NotEnoughRoom', 'WaitingForTurn']);
    expect(answer.reasons[1]!.sentence).toContain('position 1 of 1 among the gated gangs');
  });

  it('has what the watcher said of its room: pods of others that may be placed at any moment count there', () => {
    const message = 'gang: room is reserved for pods that are not placed yet: 32 pods of namespace rv';
    const own = { ...PENDING, causes: [{ reason: 'WaitingForGang', message } as const] };
    const { reasons } = answerTo({ ...members, own, cluster: { line: { place: FIRST } } });
    expect(reasons).toMatchObject([{ code: 'WaitingForTurn', said: message }]);
  });

  it('says that its gates are lifted without room, if they are', () => {
    const answer = answerTo({
      ...members,
      ...{ own: PENDING, nodes: nodes(2), others: [usedBy({ node: 'node-0' })] },
      cluster: { line: { place: FIRST, liftsOnQuota: true } },
    });
    expect(answer.reasons[1]!.sentence).toContain('lifted in its turn, whether there is room for it or not');
  });

  it('names gates of others', () => {
    const gates = [GANG_GATE, 'example.com/approval'];
    const answer = answerTo({ ...members, own: PENDING, waiting: waitingPods(2, { gates }) });
    expect(answer.reasons[0]).toMatchObject({
      code: 'SchedulingGated',
      sentence: 'the scheduling gate example.com/approval holds 2 pods back',
    });
  });

  it('says that others took its room, while it is made anew', () => {
    const cause = { reason: 'CapacityTaken', message: 'others got theirs' } as const;
    const own = { ...PENDING, state: 'Pending.RolledBack', causes: [cause] };
    const answer = answerTo({ pods: wanted(2, specOf(8, GATED)), minMember: 2, own });
    expect(answer.reasons).toMatchObject([{ code: 'CapacityTaken', sentence: 'others got theirs' }]);
  });
});

describe('the order of gated gangs', () => {
  function lineIn(pods: Parameters<Gangs['add']>[0][], job: string) {
    const gangs = new Gangs();
    for (const pod of pods) gangs.add(pod);
    return lineOf(gangs.all, `anchor-${job}`);
  }

  it('has those that wait, by priority and age, and names the one that is being placed', () => {
    const pods = [
      ...aGang('mine', 2),
      ...aGang('older', 2, { createdAt: NOW - 1_000 }),
      ...aGang('younger', 2, { createdAt: NOW + 1_000 }),
      ...aGang('urgent', 2, { createdAt: NOW + 1_000, priority: 1 }),
      ...[aMember({ job: 'placing', index: 0, isLifted: true }), aMember({ job: 'placing', index: 1 })],
    ];
    expect(lineIn(pods, 'mine')).toEqual({
      place: {
        ...{ queue: 'gatedGangs', position: 3, of: 4 },
        ahead: [{ who: 'job/ml/urgent' }, { who: 'job/ml/older' }],
      },
      placing: 'job/ml/placing',
    });
  });

  it('has no place for a gang that is not there, or whose gates are lifted', () => {
    expect(lineIn(aGang('other', 2), 'mine')).toBeUndefined();
    expect(lineIn(aGang('mine', 2, { isLifted: true }), 'mine')).toBeUndefined();
  });
});
