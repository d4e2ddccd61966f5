import { describe, expect, it } from '@jest/globals';
import type { RestartScope } from '../../../contracts/policy.ts';
import type { Rung } from '../../../contracts/types.ts';
import type { LadderPosition } from '../../../machines/model/restart.ts';
import {
  containerRung,
  nextRung,
  onNextRung,
  withoutPresentRung,
} from '../../../machines/restart/restart-ladder.ts';
import { aPlan } from '../builders.ts';

const MINUTE = 60_000;
const POD_ROLE_GANG: readonly Rung[] = [
  { scope: 'pod', times: 2 },
  { scope: 'role', times: 1 },
  { scope: 'gang', times: 1 },
];
const DEFAULT: readonly Rung[] = [{ scope: 'container' }, { scope: 'pod' }];

const on = (ladder: readonly Rung[], position?: Partial<LadderPosition>, at = 0) => ({
  ...aPlan().workers(2).policy({ restart: { ladder } }).context(),
  ladder: position && { rung: 0, times: 0, at: 0, ...position },
  at,
});

describe('the next rung', () => {
  type Row = readonly [
    says: string,
    ladder: readonly Rung[],
    position: Partial<LadderPosition> | undefined,
    least: RestartScope,
    scope: RestartScope | undefined,
  ];
  const table: readonly Row[] = [
    ['is the first at first', POD_ROLE_GANG, undefined, 'pod', 'pod'],
    ['is the same until it is used up', POD_ROLE_GANG, { times: 1 }, 'pod', 'pod'],
    ['is the next when it is', POD_ROLE_GANG, { times: 2 }, 'pod', 'role'],
    ['goes on from where the job stands', POD_ROLE_GANG, { rung: 1, times: 1 }, 'pod', 'gang'],
    ['is none after the last', POD_ROLE_GANG, { rung: 2, times: 1 }, 'pod', undefined],
    ['does not go back down', POD_ROLE_GANG, { rung: 2 }, 'pod', 'gang'],
    ['passes over what is too small', POD_ROLE_GANG, undefined, 'gang', 'gang'],
    ['is none when all that is large enough is used up', POD_ROLE_GANG, { rung: 2, times: 1 }, 'gang', undefined], // biome-ignore format: one line
    ['leaves failed pods not to the kubelet', DEFAULT, undefined, 'pod', 'pod'],
    ['has no end without times', DEFAULT, { rung: 1, times: 1000 }, 'pod', 'pod'],
    ['restarts the gang also where the ladder does not say so', DEFAULT, undefined, 'gang', 'gang'],
    ['does so without end', DEFAULT, { rung: 1, times: 9 }, 'gang', 'gang'],
    ['may be used up from the beginning', [{ scope: 'pod', times: 0 }, { scope: 'gang' }], undefined, 'pod', 'gang'], // biome-ignore format: one line
  ];
  it.each(table)('%s', (_, ladder, position, least, scope) => {
    expect(nextRung(on(ladder, position), least)?.rung.scope).toBe(scope);
  });

  it('is the first one after a long time without restarts', () => {
    const position = { rung: 2, times: 1, at: 0 };
    expect(nextRung(on(POD_ROLE_GANG, position, 10 * MINUTE - 1), 'pod')).toBeUndefined();
    expect(nextRung(on(POD_ROLE_GANG, position, 10 * MINUTE), 'pod')?.rung.scope).toBe('pod');
  });
});

describe('the position', () => {
  it('counts restarts on the same rung, and from one on another', () => {
    expect(onNextRung(on(POD_ROLE_GANG, { times: 1 }, 5), 0, [])).toEqual({ rung: 0, times: 2, at: 5 });
    expect(onNextRung(on(POD_ROLE_GANG, { times: 2 }, 5), 1, [])).toEqual({ rung: 1, times: 1, at: 5 });
    expect(onNextRung(on(POD_ROLE_GANG, undefined, 5), 2, [])).toEqual({ rung: 2, times: 1, at: 5 });
  });

  it('starts at one again after a long time without restarts', () => {
    expect(onNextRung(on(POD_ROLE_GANG, { times: 2 }, 10 * MINUTE), 0, [])).toMatchObject({
      rung: 0,
      times: 1,
    });
  });

  it('does not change when the gang restarts for a reason outside the ladder', () => {
    const stalled = on(DEFAULT, undefined, 5);
    const { index } = nextRung(stalled, 'gang')!;
    const after = { ...stalled, ladder: onNextRung(stalled, index, []) };
    expect(nextRung(after, 'pod')?.rung.scope).toBe('pod');
  });

  it('has the nodes with failures since the ladder began, as many as may be avoided', () => {
    const position = (at: number) => ({ ...on(POD_ROLE_GANG, { nodes: ['a', 'b', 'c', 'd'] }, at) });
    expect(onNextRung(position(5), 0, ['e', 'b', 'f']).nodes).toEqual(['e', 'b', 'f', 'a', 'c']);
    expect(onNextRung(position(10 * MINUTE), 0, ['e']).nodes).toEqual(['e']);
    expect(onNextRung(on(POD_ROLE_GANG), 0, [])).not.toHaveProperty('nodes');
  });

  it('skips a rung that did not help in time, however long that time was', () => {
    expect(withoutPresentRung(on(POD_ROLE_GANG, { rung: 1, times: 1 }, 5))).toEqual({
      rung: 2,
      times: 0,
      at: 5,
    });
    expect(withoutPresentRung(on(POD_ROLE_GANG, { rung: 1, times: 1 }, 60 * MINUTE))).toMatchObject({
      rung: 2,
    });
  });
});

describe('restarts in place', () => {
  const ladder: readonly Rung[] = [{ scope: 'container', times: 3 }, { scope: 'pod' }];

  it('are left to the kubelet as often as the rung says', () => {
    expect(containerRung(on(ladder))).toMatchObject({ times: 3 });
    expect(containerRung(on(DEFAULT))?.times).toBeUndefined();
  });

  it('are no longer allowed for a job that is at the next rung', () => {
    expect(containerRung(on(ladder, { rung: 1, times: 1 }))).toMatchObject({ times: 0 });
  });

  it('are unlimited where the rung has no limit, at any position', () => {
    expect(containerRung(on(DEFAULT, { rung: 1, times: 1 }))?.times).toBeUndefined();
  });
});
