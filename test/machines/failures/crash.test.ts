import { describe, expect, it } from '@jest/globals';
import type { Crash } from '../../../contracts/digest.ts';
import { aDigest } from '../builders.ts';
import { allReady, running, threePods } from '../three-pods.ts';

const node = 'gpu-1';
const times = (restarts: number, more: Partial<Crash> = {}) => ({ node, restarts, ...more });

/** Worker 0 is between two runs. */
const crashed = (revision: number, restarts: number, more: Partial<Crash> = {}) =>
  aDigest(revision)
    .master({ ready: 1 })
    .workers({ ready: 1, scheduled: 1, restarts })
    .restarts(restarts)
    .restarted({ restarts, node })
    .crash(times(restarts, more));

/** Worker 0 runs again. */
const back = (revision: number, restarts: number) =>
  allReady(revision).workers({ ready: 2, restarts }).restarts(restarts).crash(times(restarts));

const WORDS =
  'resnet-worker-0 on node gpu-1: container pytorch exited with code 1 (Error), restarted in place';

describe('a container that crashes and is started again by its kubelet', () => {
  it('is the cause, with its pod, node and exit code, while it is not back', () => {
    const life = running().hears(crashed(11, 1));
    expect(life.status.cause).toEqual({
      reason: 'ContainersRestarting',
      message: `${WORDS} once`,
      ...{ pod: 'resnet-worker-0', node, container: 'pytorch', exitCode: 1, signal: undefined },
    });
    expect(life.lastWord).toBe(`every pod has a node; 2 of 3 are ready; ${WORDS} once`);
    expect(life.hears(crashed(12, 2, { exitCode: 137, signal: 9, pods: 3 })).status.cause?.message).toBe(
      'resnet-worker-0 on node gpu-1: container pytorch exited with code 137, signal 9 (Error), restarted in place 2 times; so were containers of 2 more pods',
    );
    expect(life.hears(back(13, 2)).status.cause).toBeUndefined();
  });

  it('is in the timeline also if nobody saw that it was away', () => {
    const life = running().hears(back(11, 1));
    expect(life.status.timeline.at(-1)).toMatchObject({ state: 'Running', cause: `${WORDS} once` });
  });

  it('is told when it begins, when it ends otherwise, and each time that its restarts have doubled', () => {
    const life = running();
    for (let restarts = 1; restarts <= 100; restarts++) life.hears(crashed(10 + restarts, restarts));
    const told = life.status.timeline.filter(({ cause }) => cause.includes('restarted in place'));
    expect(told.map(({ cause }) => cause.split('restarted in place ')[1])).toEqual([
      ...['once', '2 times', '4 times', '8 times', '16 times', '32 times', '64 times'],
    ]);
    expect(life.status.cause?.message).toBe(`${WORDS} 100 times`);
    life.hears(crashed(111, 101, { exitCode: 139 }));
    expect(life.lastWord).toContain('exited with code 139');
    const { length } = life.status.timeline;
    expect(life.continueAsNew().hears(crashed(112, 102, { exitCode: 139 })).status.timeline).toHaveLength(
      length,
    );
  });

  it('is told as seldom of pods that crash in turns, and anew once they are others', () => {
    const life = running();
    for (let restarts = 1; restarts <= 20; restarts++) {
      life.hears(crashed(10 + 2 * restarts, restarts, { uid: 'b', exitCode: 2 }));
      life.hears(crashed(11 + 2 * restarts, restarts, { uid: 'a', exitCode: 1 }));
    }
    const told = () =>
      life.status.timeline.filter(({ cause }) => cause.includes('restarted in place')).length;
    expect(told()).toBe(5);
    life.hears(crashed(90, 1, { uid: 'c' }));
    expect(told()).toBe(6);
  });

  it('is named when it was restarted too often, and evidence of it is taken', () => {
    const life = running(threePods().backoffLimit(2)).hears(crashed(11, 2)).hears(back(12, 3));
    expect(life.status).toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'BackoffLimitExceeded',
        message: `3 restarts made, 2 allowed; ${WORDS} 3 times; spec.runPolicy.backoffLimit: 2`,
        ...{ pod: 'resnet-worker-0', node, container: 'pytorch', exitCode: 1 },
      },
    });
    expect(life.effects).toEqual([
      { type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-0', uid: 'resnet-worker-0-1' }] },
    ]);
    expect(life.captures().state).toBe('Finishing.CleaningUp');
    expect(life.status.evidence).toHaveLength(1);
  });
});
