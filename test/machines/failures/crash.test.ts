import { describe, expect, it } from '@jest/globals';
import type { Crash } from '../../../contracts/digest.ts';
import { aDigest } from '../builders.ts';
import { allReady, running, threePods } from '../three-pods.ts';

const node = 'gpu-1';
const times = (restarts: number, more: Partial<Crash> = {}) => ({ node, restarts, ...more });

/** Worker 0 is between two runs. */
const crashed = (resourceVersion: number, restarts: number, more: Partial<Crash> = {}) =>
  aDigest(resourceVersion)
    .master({ ready: 1 })
    .workers({ ready: 1, scheduled: 1, restarts })
    .restarts(restarts)
    .restarted({ restarts, node })
    .crash(times(restarts, more));

/** Worker 0 runs again. */
const back = (resourceVersion: number, restarts: number) =>
  allReady(resourceVersion).workers({ ready: 2, restarts }).restarts(restarts).crash(times(restarts));

const WORDS =
  'resnet-worker-0 on node gpu-1: container pytorch exited with code 1 (Error), restarted in place';

describe('a container that crashes and is restarted by its kubelet', () => {
  it('is the cause, with its pod, node and exit code, until it is ready again', () => {
    const run = running().receives(crashed(11, 1));
    expect(run.status.cause).toEqual({
      reason: 'ContainersRestarting',
      message: `${WORDS} once`,
      ...{ pod: 'resnet-worker-0', node, container: 'pytorch', exitCode: 1, podReason: 'Error' },
    });
    expect(run.lastCause).toBe(`every pod has a node; 2 of 3 are ready; ${WORDS} once`);
    expect(run.receives(crashed(12, 2, { exitCode: 137, signal: 9, pods: 3 })).status.cause?.message).toBe(
      'resnet-worker-0 on node gpu-1: container pytorch exited with code 137, signal 9 (Error), restarted in place 2 times; so were containers of 2 more pods',
    );
    expect(run.receives(back(13, 2)).status.cause).toBeUndefined();
  });

  it('is shown with its message or that of the kubelet', () => {
    const message = 'exec: "torchrun": executable file not found in $PATH\n';
    const run = running().receives(crashed(11, 1, { exitCode: 128, reason: 'StartError', message }));
    expect(run.status.cause?.message).toBe(
      'resnet-worker-0 on node gpu-1: container pytorch exited with code 128 (StartError: exec: "torchrun": executable file not found in $PATH), restarted in place once',
    );
  });

  it('is in the timeline also if it was ready again before the next digest', () => {
    const run = running().receives(back(11, 1));
    expect(run.status.timeline.at(-1)).toMatchObject({ state: 'Running', cause: `${WORDS} once` });
  });

  it('has an entry at the first crash, at a different end, and each time its restarts have doubled', () => {
    const run = running();
    for (let restarts = 1; restarts <= 100; restarts++) run.receives(crashed(10 + restarts, restarts));
    const entries = run.status.timeline.filter(({ cause }) => cause.includes('restarted in place'));
    expect(entries.map(({ cause }) => cause.split('restarted in place ')[1])).toEqual([
      ...['once', '2 times', '4 times', '8 times', '16 times', '32 times', '64 times'],
    ]);
    expect(run.status.cause?.message).toBe(`${WORDS} 100 times`);
    run.receives(crashed(111, 101, { exitCode: 139 }));
    expect(run.lastCause).toContain('exited with code 139');
    const { length } = run.status.timeline;
    expect(run.continueAsNew().receives(crashed(112, 102, { exitCode: 139 })).status.timeline).toHaveLength(
      length,
    );
  });

  it('has as few entries for pods that crash in turns, and new ones for other pods', () => {
    const run = running();
    for (let restarts = 1; restarts <= 20; restarts++) {
      run.receives(crashed(10 + 2 * restarts, restarts, { uid: 'b', exitCode: 2 }));
      run.receives(crashed(11 + 2 * restarts, restarts, { uid: 'a', exitCode: 1 }));
    }
    const countEntries = () =>
      run.status.timeline.filter(({ cause }) => cause.includes('restarted in place')).length;
    expect(countEntries()).toBe(5);
    run.receives(crashed(90, 1, { uid: 'c' }));
    expect(countEntries()).toBe(6);
  });

  it('is named when it was restarted too often, and its evidence is taken', () => {
    const run = running(threePods().backoffLimit(2)).receives(crashed(11, 2)).receives(back(12, 3));
    expect(run.status).toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'BackoffLimitExceeded',
        message: `more than 2 restarts: the kubelet had made 3 before the job could be stopped; ${WORDS} 3 times; spec.runPolicy.backoffLimit: 2`,
        ...{ pod: 'resnet-worker-0', node, container: 'pytorch', exitCode: 1 },
      },
    });
    expect(run.effects).toEqual([
      { type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-0', uid: 'resnet-worker-0-1' }] },
    ]);
    expect(run.captures().state).toBe('Finishing.CleaningUp');
    expect(run.status.evidence).toHaveLength(1);
  });
});
