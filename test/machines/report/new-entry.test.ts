import { describe, expect, it } from '@jest/globals';
import { begin } from '../../../machines/step.ts';
import { ANCHOR, aDigest, aPlan, planned } from '../builders.ts';
import { aRun, START } from '../machine-run.ts';
import {
  allReady,
  oneFailed,
  type RunningMachine,
  running,
  startsAgain,
  threePods,
  withLadder,
} from '../three-pods.ts';

const reports = (run: RunningMachine, resourceVersion: number, step: number, attempt = 1) =>
  run.receives(allReady(resourceVersion, attempt).lastReportAt(step).progress(`step=${step}`, step));

const followed = (plan = threePods()) => running(plan.policy({ progress: { log: 'step=(\\d+)' } }));

describe('the entry of a step', () => {
  it('is not written if only counts change', () => {
    const run = running().receives(allReady(11));
    expect(run.entry).toBeUndefined();
  });

  it('is minor if only the cause of waiting gets details: the timeline leaves it out', () => {
    const run = aRun(threePods()).does('createAttempt', 10);
    expect(run.entry).toMatchObject({ to: 'Pending.Scheduling', reason: 'AwaitingWatcher' });
    expect(run.entry).not.toHaveProperty('minor');
    const { timeline } = run.status;
    run.receives(aDigest(11).master({ unscheduled: 1 }).workers({ unscheduled: 2 }));
    expect(run.entry).toMatchObject({ to: 'Pending.Scheduling', reason: 'Unschedulable', minor: true });
    expect(run.status.timeline).toBe(timeline);
  });

  it('counts pods that are being deleted, which still hold their GPUs', () => {
    const run = running(withLadder({ scope: 'gang' }))
      .receives(oneFailed(11))
      .captures();
    run.receives(aDigest(12).master({ terminating: 1 }).workers({ terminating: 2 })).retryNow();
    expect(run.entry?.counts).toMatchObject({
      Master: { wanted: 1, terminating: 1 },
      Worker: { wanted: 2, terminating: 2 },
    });
  });

  it('has for how long pods had their nodes, also those of earlier attempts, and between entries', () => {
    const placedIn = ({ entry }: RunningMachine) =>
      Object.values(entry?.counts ?? {}).map(({ placedMs }) => placedMs ?? 0);
    const run = aRun(withLadder({ scope: 'gang' })).does('createAttempt', 10);
    expect(placedIn(run)).toEqual([0, 0]);
    const some = () => aDigest(11).master({ unscheduled: 1 }).workers({ unscheduled: 1, scheduled: 1 });
    run.receives(some());
    expect(placedIn(run)).toEqual([0, 0]);
    run.waits(60).receives(allReady(12));
    const [master, workers] = placedIn(run);
    expect([master, workers! >= 60_000, workers! < 70_000]).toEqual([0, true, true]);
    startsAgain(run.waits(100).receives(oneFailed(13)).captures(), 20);
    expect(run.entry).toMatchObject({ attempt: 2, to: 'Running' });
    expect(placedIn(run).map((ms, role) => ms >= [100_000, 260_000][role]!)).toEqual([true, true]);
  });

  it('of the admission has what each pod requests of extended resources', () => {
    const plan = aPlan()
      .master()
      .workersWith(2, { devices: { 'nvidia.com/gpu': 8 } });
    const { entry } = begin({ ...planned(plan.build()), anchorUid: ANCHOR, gang: 'native', at: START });
    expect(entry?.devices).toEqual({ Worker: { 'nvidia.com/gpu': 8 } });
    expect(running(plan).entry).not.toHaveProperty('devices');
  });

  it('of a restart has the classes of its failures', () => {
    const run = running(withLadder({ scope: 'gang' }));
    expect(run.receives(oneFailed(11)).entry).not.toHaveProperty('classes');
    expect(run.captures().entry).toMatchObject({ to: 'Restarting.Draining', classes: ['userCode'] });
    expect(run.does('drain').entry).not.toHaveProperty('classes');
  });

  it('that decides the outcome says why, with the pod; later ones do not repeat it', () => {
    const run = running(threePods().backoffLimit(0)).receives(oneFailed(11, { exitCode: 3 }));
    expect(run.entry?.decided).toMatchObject({ reason: run.status.cause?.reason, exitCode: 3 });
    expect(run.captures().entry).not.toHaveProperty('decided');
  });
});

describe('progress in the ledger', () => {
  it('has an entry for the first report, and is in all later ones with its time', () => {
    const run = reports(followed(), 11, 5);
    expect(run.entry).toMatchObject({
      minor: true,
      message: 'the first progress since the job runs: step=5',
      progress: { value: 'step=5', at: new Date(run.time).toISOString() },
    });
    expect(reports(run, 12, 9).entry).toBeUndefined();
    const { time } = run;
    run.receives(oneFailed(13));
    expect(run.entry?.progress).toEqual({ value: 'step=9', at: new Date(time).toISOString() });
  });

  it('has another entry after a restart: the repeated work lies between the two', () => {
    const run = reports(followed(withLadder({ scope: 'gang' })), 11, 9);
    startsAgain(run.receives(oneFailed(12)).captures(), 20);
    expect(run.entry).not.toHaveProperty('progress');
    expect(reports(run, 21, 4, 2).entry).toMatchObject({ attempt: 2, progress: { value: 'step=4' } });
  });

  it('has another entry if pods were replaced within the attempt', () => {
    const run = reports(followed(withLadder({ scope: 'pod' })), 11, 9);
    run.receives(oneFailed(12)).captures().does('restorePods', 13).receives(allReady(13));
    expect(reports(run, 14, 4).entry).toMatchObject({ attempt: 1, progress: { value: 'step=4' } });
    expect(reports(run, 15, 5).entry).toBeUndefined();
  });
});
