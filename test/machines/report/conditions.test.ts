import { describe, expect, it } from '@jest/globals';
import type { Condition } from '../../../contracts/kubernetes.ts';
import { setCondition } from '../../../machines/report/conditions.ts';

const table: readonly [says: string, set: string[], list: string][] = [
  [
    'what changes moves to the end',
    ['Created', 'Suspended', 'Running', 'Suspended=False'],
    'Created Running Suspended=False',
  ],
  ['what does not change stays in its place', ['Created', 'Running', 'Created'], 'Created Running'],
  ['Restarting takes the place of Running', ['Created', 'Running', 'Restarting'], 'Created Restarting'],
  ['Running takes the place of Restarting', ['Created', 'Restarting', 'Running'], 'Created Running'],
  ['success makes Running False', ['Created', 'Running', 'Succeeded'], 'Created Running=False Succeeded'],
  ['failure makes Running False', ['Created', 'Running', 'Failed'], 'Created Running=False Failed'],
  ['an end makes Restarting False', ['Created', 'Restarting', 'Failed'], 'Created Restarting=False Failed'],
  ['nothing changes after Failed', ['Created', 'Failed', 'Running', 'Succeeded'], 'Created Failed'],
];

describe('the list of conditions', () => {
  it.each(table)('%s', (_, set, list) => {
    expect(show(set.reduce(after, []))).toBe(list);
  });

  it('keeps the time of the last transition while only the reason changes', () => {
    const first = setCondition([], { type: 'Running', status: 'True', reason: 'A' }, '2026-01-01T00:00:00Z');
    const [second] = setCondition(
      first,
      { type: 'Running', status: 'True', reason: 'B' },
      '2026-01-01T00:00:09Z',
    );
    expect(second).toEqual({
      type: 'Running',
      status: 'True',
      reason: 'B',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      lastUpdateTime: '2026-01-01T00:00:09Z',
    });
  });

  it('stays the same object when only a message changes', () => {
    const first = setCondition([], { type: 'Restarting', status: 'True', reason: 'A', message: 'one' }, 't');
    expect(
      setCondition(first, { type: 'Restarting', status: 'True', reason: 'A', message: 'two' }, 'u'),
    ).toBe(first);
  });
});

function after(conditions: readonly Condition[], text: string, index: number): readonly Condition[] {
  const [type, status = 'True'] = text.split('=') as [string, Condition['status']?];
  return setCondition(conditions, { type, status, reason: `Job${type}` }, `2026-01-01T00:00:0${index}Z`);
}

const show = (conditions: readonly Condition[]) =>
  conditions.map(({ type, status }) => (status === 'True' ? type : `${type}=${status}`)).join(' ');
