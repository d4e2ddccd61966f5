import { describe, expect, it } from '@jest/globals';
import { scalesLive, withAmendedPlan, withAmendment } from '../../../machines/gang/scaling.ts';
import { jobPolicy } from '../../../machines/model/policy.ts';
import { aDigest, aPlan, planned } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import { oneFailed, type RunningMachine } from '../three-pods.ts';

/** Its workers can change their number while they run. */
const elastic = (workers: number) =>
  aPlan()
    .master()
    .workersWith(workers, { restartPolicy: 'OnFailure', scales: { min: 1, max: 9 } });
/** It starts again when its size changes. */
const rigid = (workers: number) => aPlan().master().workers(workers).policy({ scaleByRestart: true });
const ready = (resourceVersion: number, workers: number, attempt = 1) =>
  aDigest(resourceVersion).attempt(attempt).master({ ready: 1 }).workers({ ready: workers });
const running = (plan = elastic(2)) =>
  aRunWithEvidence(plan).does('createAttempt', 10).receives(ready(10, 2));
const QUOTA = { reason: 'QuotaExceeded', message: 'exceeded quota' } as const;
const workersOf = ({ context }: RunningMachine) => context.plan.roles[1]!.replicas;

describe('an amendment', () => {
  const context = elastic(2).context();
  const next = (plan: ReturnType<typeof elastic>, number = 2) => planned(plan.build(), number);

  it('of rules takes effect at once', () => {
    const wanted = next(elastic(2).policy({ holdOnFailureMs: 5 }));
    expect(withAmendment(context, wanted)).toEqual({ ...wanted, amended: undefined });
  });

  it('of sizes waits until pods can follow, except for the rules that come with it', () => {
    const wanted = next(elastic(4).policy({ holdOnFailureMs: 5 }));
    const after = { ...context, ...withAmendment(context, wanted) };
    expect(after).toEqual({ ...context, amended: wanted });
    expect(jobPolicy(after).holdOnFailureMs).toBe(5);
    expect(withAmendedPlan(after)).toEqual({ ...wanted, amended: undefined });
  });

  it('back to the present sizes has no effect: no pod was created for the others', () => {
    const waiting = { ...context, ...withAmendment(context, next(elastic(4))) };
    const back = next(elastic(2), 3);
    expect(withAmendment(waiting, back)).toEqual({ ...back, amended: undefined });
  });

  it('is applied while the job runs only if all roles that change allow it', () => {
    const isLive = (plan: ReturnType<typeof elastic>, wanted: ReturnType<typeof elastic>) =>
      scalesLive(plan.context(), wanted.build());
    expect(isLive(elastic(2), elastic(3))).toBe(true);
    expect(isLive(rigid(2), rigid(3))).toBe(false);
  });
});

it('a surplus pod that was restarted in place is not replaced, although another is missing', () => {
  const plan = elastic(2).policy({
    restart: { ladder: [{ scope: 'container', times: 1 }, { scope: 'pod' }] },
  });
  const restarted = (index: number) =>
    aDigest(21)
      .master({ ready: 1 })
      .workers({ scheduled: 1 })
      .restarts(2)
      .restarted({ pod: `resnet-worker-${index}`, index, restarts: 2 });
  const run = () =>
    running(plan).amend(elastic(1).policy(plan.build().policy!)).does('scale', 20).receives(ready(20, 1));
  expect(run().receives(restarted(0)).state).toBe('Restarting.Replacing');
  expect(run().receives(restarted(1)).state).toBe('Running');
});

describe('a surplus pod that stays', () => {
  const FORCED = { nodes: { forceDeleteAfterMs: 60_000 } };
  const left = { stuckPods: [{ pod: 'resnet-worker-1', node: 'gpu-7' }] };

  it('is named as the cause of waiting', () => {
    const run = running().amend(elastic(1)).does('scale', left);
    expect(run.effects).toEqual([]);
    expect(run.status.cause).toMatchObject({ reason: 'PodsTerminating', pod: 'resnet-worker-1' });
    expect(run.reaches('look').effects).toMatchObject([{ type: 'scale', again: true }]);
    expect(run.does('scale', 20).context.terminating).toBeUndefined();
  });

  it('is deleted by force when the policy allows it, and its time has expired', () => {
    const run = running(elastic(2).policy(FORCED)).amend(elastic(1).policy(FORCED));
    const [effect] = run.reaches('forceDelete').effects;
    expect(effect).toMatchObject({ type: 'scale', force: true });
    expect(effect).not.toHaveProperty('again');
    expect(run.does('scale', 20).secondsTo('forceDelete')).toBeUndefined();
  });
});

describe('a role that can be scaled while the job runs', () => {
  it('gets more pods, and the job continues with them', () => {
    const run = running().amend(elastic(4), 'Worker scaled to 4 by ana');
    expect([run.state, workersOf(run)]).toEqual(['Pending.Scaling', 4]);
    expect(run.effects).toMatchObject([{ type: 'scale', attempt: 1, succeededIndices: {}, asGang: true }]);
    expect(run.status.cause).toMatchObject({ reason: 'Scaling' });
    run.does('scale', 20).receives(aDigest(20).master({ ready: 1 }).workers({ ready: 2, unscheduled: 2 }));
    expect(run.state).toBe('Pending.Scheduling');
    expect(run.receives(ready(21, 4)).status).toMatchObject({ phase: 'Running', attempt: 1, restarts: 0 });
  });

  it('has a message with who asked for it, and the new sizes', () => {
    expect(running().amend(elastic(4), 'Worker scaled to 4 by ana').lastCause).toBe(
      'Worker scaled to 4 by ana; role sizes change: 1 Master, 4 Worker',
    );
  });

  it('loses pods, and none of them counts as missing', () => {
    const run = running().amend(elastic(1)).does('scale', 20).receives(ready(20, 1));
    expect([run.state, run.status.restarts]).toEqual(['Running', 0]);
  });

  it('is not judged by an older digest', () => {
    const run = running().amend(elastic(4)).does('scale', 20).receives(ready(19, 2));
    expect([run.state, run.effects]).toEqual(['Pending.Scheduling', []]);
  });

  it('does not restart succeeded replicas', () => {
    const run = running().receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    expect(run.amend(elastic(3)).effects).toMatchObject([
      { type: 'scale', succeededIndices: { worker: '0' }, asGang: false },
    ]);
  });

  it('first replaces its failed pods', () => {
    const failed = aDigest(11).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 });
    const run = running().receives(failed).amend(elastic(4));
    expect([run.state, workersOf(run), run.effects]).toEqual(['Restarting.Capturing', 2, []]);
    run.captures().does('restorePods', 20).receives(ready(20, 2));
    expect([run.state, workersOf(run)]).toEqual(['Pending.Scaling', 4]);
  });

  it('replaces later failures afterwards', () => {
    const run = running().amend(elastic(3));
    const failed = aDigest(20).master({ ready: 1 }).workers({ ready: 2, failed: 1 }).failure({ exitCode: 1 });
    run.receives(failed).does('scale', 20);
    expect(run.state).toBe('Restarting.Capturing');
  });

  it('has the last requested size in the end', () => {
    const run = running().amend(elastic(4)).amend(elastic(3));
    expect([run.state, workersOf(run), run.effects]).toMatchObject([
      'Pending.Scaling',
      3,
      [{ type: 'scale' }],
    ]);
    expect(run.does('scale', 20).receives(ready(20, 4)).state).toBe('Pending.Scheduling');
    expect(run.receives(ready(21, 3)).state).toBe('Running');
  });

  it('fails the job when the API server refuses the pods', () => {
    const run = running().amend(elastic(4)).failsTo('scale', { reason: 'ClusterRefused', message: 'quota' });
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
  });
});

describe('a role that cannot be scaled while the job runs', () => {
  it('restarts with the gang, in the new size', () => {
    const run = running(rigid(2)).amend(rigid(4), 'Worker scaled to 4 by ana');
    expect([run.state, workersOf(run)]).toEqual(['Restarting.Draining', 2]);
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1 }]);
    expect(run.lastCause).toContain('Worker scaled to 4 by ana');
    expect(run.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
    expect(workersOf(run)).toBe(4);
    expect(run.does('createAttempt', 20).receives(ready(20, 4, 2)).state).toBe('Running');
  });

  it('does not count this restart, does not wait for it, and blames no pod for it', () => {
    const run = running(rigid(2).backoffLimit(0)).amend(rigid(4).backoffLimit(0));
    expect([run.status.restarts, run.secondsTo('backOff'), run.context.ladder]).toEqual([0, undefined, undefined]); // biome-ignore format: one line
    expect(run.status.conditions.at(-1)?.message).toBe('job resnet is restarting: role sizes change');
  });

  it('takes the last requested size while it drains', () => {
    const run = running(rigid(2)).amend(rigid(4)).amend(rigid(3)).does('drain');
    expect([workersOf(run), run.context.amended]).toEqual([3, undefined]);
    expect(run.does('createAttempt', 20).receives(ready(20, 3, 2)).state).toBe('Running');
  });

  it('gets its new size when the gang restarts anyway', () => {
    const gang = (workers: number) => rigid(workers).policy({ restart: { ladder: [{ scope: 'gang' }] } });
    const run = running(gang(2)).receives(oneFailed(11)).amend(gang(3)).captures().does('drain');
    expect([workersOf(run), run.effects]).toEqual([3, [{ type: 'createAttempt', attempt: 2 }]]);
    expect(run.does('createAttempt', 20).receives(ready(20, 3, 2)).state).toBe('Running');
  });
});

describe('a requested size', () => {
  it('during a suspension is that of the next attempt', () => {
    const run = running().suspend().does('suspend').amend(elastic(4));
    expect([run.state, run.effects]).toEqual(['Suspended.Resting', []]);
    run
      .resume()
      .does('createAttempt', 20)
      .receives(ready(20, 4, 2));
    expect([run.state, workersOf(run)]).toEqual(['Running', 4]);
  });

  it('during creation restarts it: the old size may never be possible', () => {
    const run = aRunWithEvidence(elastic(4)).isRefused('createAttempt', QUOTA).amend(elastic(2));
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', [{ type: 'drain', attempt: 1 }]]);
    run.does('drain');
    expect([run.state, workersOf(run)]).toEqual(['Pending.Creating', 2]);
    expect([run.context.revision.number, run.status.restarts]).toEqual([2, 0]);
    expect(run.does('createAttempt', 20).receives(ready(20, 2, 2)).state).toBe('Running');
  });

  it('during a replacement takes over the replacement, and charges nothing twice', () => {
    const failed = aDigest(11).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 });
    const run = running().receives(failed).captures();
    const replace = [{ pod: 'resnet-worker-0' }];
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace }]);
    run.isRefused('restorePods', QUOTA).amend(elastic(1));
    expect([run.state, workersOf(run)]).toEqual(['Pending.Scaling', 1]);
    expect(run.effects).toMatchObject([{ type: 'scale', replace }]);
    run.does('scale', 20).receives(ready(20, 1));
    expect([run.state, run.status.restarts, run.context.restarting]).toEqual(['Running', 1, undefined]);
  });

  it('during a replacement restarts the gang if the role cannot scale, and charges nothing twice', () => {
    const run = running(rigid(2)).receives(oneFailed(11)).captures();
    expect(run.state).toBe('Restarting.Replacing');
    run.amend(rigid(1));
    expect([run.state, run.status.restarts]).toEqual(['Restarting.Draining', 1]);
    expect([run.does('drain').state, workersOf(run)]).toEqual(['Pending.Creating', 1]);
  });

  it('during a replacement waits for the evidence of another failure, before the gang restarts', () => {
    const run = running(rigid(2)).receives(oneFailed(11)).captures();
    run.receives(oneFailed(12)).amend(rigid(1), 'Worker scaled to 1 by ana');
    expect([run.state, run.effects]).toMatchObject([
      'Restarting.Capturing',
      [{ type: 'capture', pods: [{ uid: 'uid-1-12' }] }],
    ]);
    expect(run.lastCause).toContain('Worker scaled to 1 by ana');
    run.continueAsNew().captures();
    expect([run.state, run.status.restarts]).toEqual(['Restarting.Draining', 1]);
    expect([run.does('drain').state, workersOf(run)]).toEqual(['Pending.Creating', 1]);
  });

  it('changes nothing if the anchor is gone', () => {
    const run = aRunWithEvidence(elastic(2)).receives(aDigest(0).withoutAnchor()).amend(elastic(4));
    expect([run.state, run.effects]).toMatchObject(['Finishing.CleaningUp', [{ type: 'cleanUp' }]]);
  });

  it('survives a new run of the workflow', () => {
    const run = running().receives(oneFailed(11)).amend(elastic(4)).continueAsNew();
    run.captures().does('restorePods', 20).receives(ready(20, 2));
    expect([run.state, workersOf(run)]).toEqual(['Pending.Scaling', 4]);
  });

  it('is ignored when the outcome is decided', () => {
    expect(running().stop().amend(elastic(4)).effects).toEqual([]);
  });
});
