import { describe, expect, it } from '@jest/globals';
import type { LeftPod } from '../../../contracts/left-pod.ts';
import { aDigest } from '../builders.ts';
import { allReady, oneFailed, running, threePods, withLadder } from '../three-pods.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const draining = () =>
  running(withLadder({ scope: 'gang' }))
    .hears(oneFailed(11))
    .captures();

const WORKER: LeftPod = { pod: 'resnet-worker-1', uid: 'u1', node: 'gpu-7' };

/** A worker that was told to end, as the revision shows it, and that has so many seconds to do so. */
const leaves = (life: ReturnType<typeof draining>, seconds: number, revision = 20) =>
  life.does('drain', { revision, left: [{ ...WORKER, until: life.time + seconds * 1000 }] });

const stillLeaving = (revision: number) =>
  aDigest(revision).workers({ terminating: 1 }).terminating({ pod: WORKER.pod, uid: 'u1' });
const allGone = (revision: number) => aDigest(revision).attempt(0);

describe('a job that waits for pods to end', () => {
  it('does so without an activity, and does not complain while they have time', () => {
    const life = leaves(draining(), 40);
    expect(life.effects).toEqual([]);
    expect(life.status.cause?.reason).toBe('RestartingGang');
    expect(life.secondsTo('look')).toBe(39);
  });

  it('looks at once when a digest shows that they are gone', () => {
    const life = leaves(draining(), 40).hears(stillLeaving(21));
    expect(life.effects).toEqual([]);
    expect(life.hears(allGone(22)).effects).toEqual([{ type: 'drain', attempt: 1, again: true }]);
    expect(life.secondsTo('look')).toBeUndefined();
  });

  it('is not misled by a digest that has not seen them leave', () => {
    const life = leaves(draining(), 40);
    expect(life.hears(allReady(19)).effects).toEqual([]);
    expect(life.secondsTo('look')).toBe(38);
  });

  it('is not woken twice: a look that is under way is not begun anew', () => {
    const life = leaves(draining(), 40).hears(allGone(22));
    expect(life.hears(allGone(23)).effects).toEqual([]);
  });

  it('looks soon if the digest came before it was told that they leave', () => {
    const life = leaves(draining().hears(allGone(22)), 40);
    expect([life.effects, life.secondsTo('look')]).toEqual([[], 2]);
  });

  it('names them once their time is over', () => {
    const life = leaves(draining(), 40)
      .reaches('look')
      .does('drain', { left: [WORKER] });
    expect(life.status.cause).toMatchObject({ reason: 'PodsTerminating', pod: WORKER.pod, node: 'gpu-7' });
  });

  it('looks ever less often: days cost it some dozens of looks a day', () => {
    const life = leaves(draining(), 40);
    let looks = 0;
    for (const end = life.time + 24 * HOUR * 1000; life.time < end; looks++) {
      life.reaches('look').does('drain', { left: [WORKER] });
    }
    expect(looks).toBeLessThan(64);
    expect(life.secondsTo('look')).toBe(30 * MINUTE);
    expect(life.states.filter((state) => state === 'Restarting.Draining')).toHaveLength(1);
  });

  it('goes on waiting in another run of the workflow', () => {
    const life = leaves(draining(), 40).continueAsNew();
    expect(life.secondsTo('look')).toBe(39);
    expect(life.hears(allGone(22)).effects).toEqual([{ type: 'drain', attempt: 1, again: true }]);
  });

  it('waits for nothing any more when it is stopped', () => {
    const life = leaves(draining(), 40).stop();
    expect([life.context.terminating, life.deadlines]).toEqual([undefined, {}]);
  });

  it('does not forget them when it is suspended again before they are gone', () => {
    const life = running()
      .suspend()
      .does('suspend', { left: [WORKER] })
      .resume()
      .suspend();
    expect(life.secondsTo('look')).toBeDefined();
    expect(life.reaches('look').effects).toEqual([{ type: 'suspend', again: true }]);
  });
});

describe('a job that has ended, and whose pods take their time,', () => {
  const ending = (seconds = 30) => {
    const life = running().stop();
    return life.does('cleanUp', { revision: 20, left: [{ ...WORKER, until: life.time + seconds * 1000 }] });
  };

  it('waits for them without an activity', () => {
    const life = ending();
    expect([life.state, life.effects]).toEqual(['Finishing.CleaningUp', []]);
    expect(life.secondsTo('look')).toBe(29);
  });

  it('is over soon after a digest has shown that they are gone, which changes nothing that is said of it', () => {
    const life = ending();
    const { replicaStatuses } = life.status;
    life.hears(stillLeaving(21)).hears(allGone(22));
    expect(life.effects).toMatchObject([{ type: 'cleanUp', scope: 'Everything', again: true }]);
    expect(life.status.replicaStatuses).toEqual(replicaStatuses);
    expect([life.does('cleanUp').state, life.lastWord]).toEqual(['Stopped', 'clean-up finished']);
  });

  it('says whom it waits for when their time is over, and in the end who is still there', () => {
    const life = ending()
      .reaches('look')
      .does('cleanUp', { left: [WORKER] });
    expect(life.status.cause).toMatchObject({
      reason: 'StopRequested',
      message: 'stopped by ana; waiting for resnet-worker-1 on node gpu-7 to terminate',
    });
    let looks = 0;
    while (life.state === 'Finishing.CleaningUp') {
      life.reaches('look').does('cleanUp', { left: [WORKER] });
      looks++;
    }
    expect(looks).toBeLessThan(8);
    expect(life.state).toBe('Stopped');
    expect(life.lastWord).toBe(
      'the job no longer waits: 1 pod that was asked to stop still exists (resnet-worker-1 on node gpu-7); they disappear when their node answers again or is removed, or when their finalizers are removed',
    );
  });
});

describe('a clean-up that is refused', () => {
  const refused = 'DELETE pods/resnet-worker-1: 403 Forbidden: keep it';
  const ending = () => running().stop().does('cleanUp', { revision: 0, refused });

  it('is tried again, and the job says why it has not ended', () => {
    const life = ending();
    expect([life.state, life.effects, life.secondsTo('look')]).toEqual(['Finishing.CleaningUp', [], 5]);
    expect(life.status.cause?.reason).toBe('StopRequested');
    expect(life.status.cause?.message).toContain(refused);
    expect(life.lastWord).toBe(`the clean-up is refused: ${refused}`);
    expect(life.reaches('look').effects).toMatchObject([{ type: 'cleanUp' }]);
    expect([life.does('cleanUp').state, life.lastWord]).toEqual(['Stopped', 'clean-up finished']);
    expect(life.status.cause?.message).toBe('stopped by ana');
  });

  it('never ends the job, whatever it was refused by; it is tried every five minutes in the end', () => {
    const life = ending();
    const failure = { reason: 'ClusterRefused', message: 'pods is forbidden' } as const;
    for (let tried = 0; tried < 20; tried++) life.reaches('look').failsTo('cleanUp', failure);
    expect([life.state, life.secondsTo('look')]).toEqual(['Finishing.CleaningUp', 300]);
    expect(
      life.status.timeline.filter(({ cause }) => cause.startsWith('the clean-up is refused')),
    ).toHaveLength(2);
  });

  it('can be hurried by somebody who has mended it', () => {
    const life = ending().retryNow();
    expect(life.effects).toMatchObject([{ type: 'cleanUp' }]);
    expect(life.retryNow().effects).toEqual([{ type: 'tryAgain' }]);
  });

  it('gives a job without a cause one', () => {
    const completed = aDigest(11).master({ succeeded: 1 }).workers({ ready: 2 });
    const life = running(threePods().cleanPodPolicy('Running')).hears(completed).does('cleanUp', { refused });
    expect(life.status).toMatchObject({ phase: 'Completed', cause: { reason: 'CleaningUp' } });
  });
});
