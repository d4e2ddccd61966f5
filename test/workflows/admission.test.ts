import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Effect } from '../../machines/model/effects.ts';
import { begin } from '../../machines/step.ts';
import { aManifest, anAdmission } from './admissions.ts';
import { allReady, JobStage } from './job-stage.ts';
import { refusal } from './some-refusal.ts';
import { cancellation } from './workflow-messages.ts';

const MINUTE = 60_000;

/** What a job begins with. */
const FIRST = begin({ ...anAdmission(), at: 0 }).effects[0]!;
const done = (effect: Effect) => ({ effect, result: { resourceVersion: 10 } });

const foundBy = ({ flow }: JobStage) =>
  Object.fromEntries(flow.info.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));

describe('a job before its admission', () => {
  it('is searchable from the start', async () => {
    const stage = await JobStage.submit();
    const identity = { JobKind: 'PyTorchJob', JobName: 'resnet', JobNamespace: 'ml' };
    expect(foundBy(stage)).toEqual({ ...identity, JobPhase: 'Pending', JobAttempt: 1 });
    expect(await stage.state()).toBe('Pending.Admitting');
  });

  it('requests admission with its first run id; the activity finds the manifest in its history', async () => {
    const stage = await JobStage.submit();
    const identity = { workflowId: 'job/ml/resnet', firstRunId: 'run-1', waitedMs: 0 };
    expect(stage.admitRequest).toEqual(identity);
  });

  it('keeps the uid of its anchor in its memo once it is admitted', async () => {
    const stage = await JobStage.admitted();
    expect(stage.flow.info.memo).toEqual({ anchorUid: 'anchor-1', clusterId: 'cluster-1' });
  });

  it('goes on from what its admission has done, in any order of digests', async () => {
    const stage = await JobStage.submit();
    await stage.receives(allReady(11));
    await stage.admits({ ...anAdmission(), done: [done(FIRST)] });
    expect(await stage.state()).toBe('Running');
    expect(stage.inProgress).toEqual([]);
  });

  it('starts again where its machine decides differently from the admission', async () => {
    const stage = await JobStage.submit();
    await stage.admits({ ...anAdmission(), done: [done({ type: 'createGroup', attempt: 1 }), done(FIRST)] });
    expect(stage.inProgress).toEqual(['createAttempt']);
  });

  it('waits until its name is free, with a message', async () => {
    const stage = await JobStage.submit();
    await stage.flow.activity('admit').completes({ waitsFor: [{ pod: 'resnet-worker-0', node: 'node-1' }] });
    expect(await stage.status()).toMatchObject({
      phase: 'Pending',
      cause: { reason: 'PodsTerminating', node: 'node-1' },
    });
    await stage.flow.passes(1_000);
    expect(stage.admitRequest.waitedMs).toBe(1_000);
    await stage.admits();
    expect(await stage.state()).toBe('Pending.Creating');
  });

  it('fails with all errors of its manifest', async () => {
    const stage = await JobStage.submit();
    const faults = [{ path: 'spec', expected: 'an object' }];
    const invalid = ApplicationFailure.nonRetryable('spec: expected an object', 'InvalidManifest', faults);
    await stage.flow.activity('admit').fails(invalid);
    expect(stage.flow.ending).toMatchObject({
      type: 'failed',
      error: { type: 'InvalidManifest', message: 'spec: expected an object', details: [faults, {}] },
    });
    expect(stage.outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'InvalidManifest' } });
    expect(foundBy(stage)).toMatchObject({ JobPhase: 'Failed', JobReason: 'InvalidManifest' });
  });

  it.each([
    [
      { cronSchedule: '0 2 * * *', namespace: 'default', workflowId: 'nightly' },
      'the workflow has the cron schedule "0 2 * * *", and each run fails until it is terminated: `temporal workflow terminate --namespace default --workflow-id nightly`',
    ],
    [{ attempt: 2 }, 'this is attempt 2 of the workflow by its retry policy'],
  ])('fails at once if Temporal repeats its workflow: %o', async (info, why) => {
    const stage = await JobStage.submit(aManifest(), undefined, { info });
    expect(stage.inProgress).toEqual([]);
    expect(stage.outcome).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'RepeatedByTemporal' },
    });
    expect(stage.outcome?.cause?.message).toMatch(`Temporal repeats this workflow by itself: ${why}`);
    expect(stage.flow.ending).toMatchObject({ error: { type: 'JobFailed', nonRetryable: true } });
  });

  it('fails with the cause of any other failure', async () => {
    const stage = await JobStage.submit();
    await stage.flow.activity('admit').fails(ApplicationFailure.nonRetryable('it is taken', 'NameTaken'));
    expect(stage.flow.ending).toMatchObject({
      error: { type: 'JobFailed', message: 'NameTaken: it is taken' },
    });
    expect(stage.outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'NameTaken' } });
  });
});

describe('a job that the API server refuses to admit for now', () => {
  it('says why and until when it waits, and tries again', async () => {
    const stage = await JobStage.submit();
    await stage.flow.activity('admit').fails(refusal({ limitMs: MINUTE }));
    const message = 'exceeded quota; retrying until 2026-01-01T00:01:00Z';
    expect(await stage.status()).toMatchObject({
      phase: 'Pending',
      cause: { reason: 'QuotaExceeded', message },
    });
    expect(foundBy(stage).JobReason).toBe('QuotaExceeded');
    await stage.flow.passes(1_000);
    await stage.admits();
    expect(await stage.state()).toBe('Pending.Creating');
  });

  it('adds each reason to its timeline once', async () => {
    const stage = await JobStage.submit();
    for (const reason of ['QuotaExceeded', 'QuotaExceeded', 'Forbidden', 'Forbidden'] as const) {
      await stage.flow.activity('admit').fails(refusal({ reason }));
      await stage.flow.passes(MINUTE);
    }
    const causes = (await stage.status()).timeline.map(({ cause }) => cause.split(':')[0]);
    expect(causes).toEqual([expect.any(String), 'QuotaExceeded', 'Forbidden']);
  });

  it('fails at the limit of its policy', async () => {
    const stage = await JobStage.submit();
    const refused = refusal({ limitMs: 5_000 });
    for (const pause of [1_000, 2_000, 4_000]) {
      await stage.flow.activity('admit').fails(refused);
      await stage.flow.passes(pause);
    }
    await stage.flow.activity('admit').fails(refused);
    expect(stage.outcome?.cause).toEqual({
      reason: 'ClusterRefused',
      message: expect.stringMatching(
        /^refused for too long; QuotaExceeded: exceeded quota; .*refusals\.failAfter: 5s/,
      ),
      remedy: expect.stringMatching(/^Read its message: /),
    });
  });

  it('waits without limit for an unavailable API server, and restarts the limit after that', async () => {
    const stage = await JobStage.submit();
    const away = refusal({ reason: 'ApiServerUnavailable', message: 'connection refused', isLimited: false });
    await stage.flow.activity('admit').fails(refusal({ limitMs: MINUTE }));
    for (let hour = 0; hour < 3; hour++) {
      await stage.flow.passes(60 * MINUTE);
      await stage.flow.activity('admit').fails(away);
    }
    expect((await stage.status()).cause?.message).toBe('connection refused; retrying');
    await stage.flow.passes(MINUTE);
    await stage.flow.activity('admit').fails(refusal({ limitMs: MINUTE }));
    expect(stage.flow.ending).toBeUndefined();
  });
});

describe('a job whose custom resource was edited before its admission', () => {
  const identity = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1' };
  const edited = {
    manifest: aManifest({ runPolicy: { backoffLimit: 3 } }),
    ...{ resource: { ...identity, generation: 2 }, manifestHash: 'hash-2' },
  };
  const submitted = async () => {
    const memo = {
      resource: { ...identity, generation: 1 },
      manifestHash: 'hash-1',
      submittedBy: 'Kubernetes',
    };
    return JobStage.submit(undefined, undefined, { memo });
  };

  it('begins anew with what that says now', async () => {
    const stage = await submitted();
    await stage.flow.activity('admit').completes({ edited });
    expect(stage.flow.ending).toMatchObject({ args: [JSON.parse(JSON.stringify(edited.manifest)), {}] });
    const next = await stage.nextRun();
    const { resource, manifestHash } = edited;
    expect(next.flow.info.memo).toEqual({ resource, manifestHash, submittedBy: 'Kubernetes' });
    expect(next.flow.info.typedSearchAttributes).toEqual(stage.flow.info.typedSearchAttributes);
    await next.admits();
    expect(await next.state()).toBe('Pending.Creating');
  });

  it('is still one job to its ledger', async () => {
    const stage = await submitted();
    await stage.flow.activity('admit').completes({ edited });
    const next = await stage.nextRun();
    await next.admits();
    const message = expect.stringContaining('begins anew with generation 2');
    expect(await stage.ledger()).toMatchObject([
      { seq: 1 },
      { seq: 2, message, effects: [{ effect: 'admit' }] },
    ]);
    expect(await next.ledger()).toMatchObject([
      { seq: 3, cause: { type: 'effect', effect: 'admit', ended: 'done', began: 2 } },
    ]);
  });

  it('keeps what it has received', async () => {
    const stage = await submitted();
    await stage.receives(allReady(11));
    await stage.flow.activity('admit').completes({ edited });
    const next = await stage.nextRun();
    await next.admits({ ...anAdmission(), done: [done(FIRST)] });
    expect(await next.state()).toBe('Running');
  });

  it('ends if it is stopped as well', async () => {
    const stage = await submitted();
    await stage.flow.asks('stop', { by: 'ana' });
    await stage.flow.activity('admit').completes({ edited });
    expect(stage.outcome).toMatchObject({ phase: 'Stopped', cause: { message: 'stopped by ana' } });
  });
});

describe('a job that is stopped before its admission', () => {
  it('ends after its admission was cancelled', async () => {
    const stage = await JobStage.submit();
    await stage.flow.asks('stop', { by: 'ana' });
    expect(stage.flow.activity('admit').isCancelled).toBe(true);
    expect(stage.flow.ending).toBeUndefined();
    // Its name will be free soon: a submission of the next job waits for that.
    expect(foundBy(stage)).toMatchObject({ JobPhase: 'Stopped', JobReason: 'StopRequested' });
    expect(await stage.status()).toMatchObject({ phase: 'Stopped', state: 'Finishing.CleaningUp' });
    await stage.flow.activity('admit').confirmsCancellation();
    expect(stage.admitRequest.isStopped).toBe(true);
    await stage.flow.activity('admit').fails(new Error('schedule to close timeout'), 'TIMEOUT');
    expect(stage.outcome).toMatchObject({ phase: 'Stopped', cause: { message: 'stopped by ana' } });
    expect(foundBy(stage)).toMatchObject({ JobPhase: 'Stopped', JobReason: 'StopRequested' });
  });

  it('is never admitted if the stop arrived before a worker started it', async () => {
    const stage = await JobStage.submit(aManifest(), (flow) => [flow.update('stop', { by: 'ana' }).job]);
    expect(stage.outcome).toMatchObject({ phase: 'Stopped', cause: { message: 'stopped by ana' } });
  });

  it('does not wait out a refusal', async () => {
    const stage = await JobStage.submit();
    await stage.flow.activity('admit').fails(refusal());
    await stage.flow.asks('stop', {});
    expect(stage.outcome).toMatchObject({ phase: 'Stopped' });
  });

  it('does not wait for its name', async () => {
    const stage = await JobStage.submit();
    await stage.flow.activity('admit').completes({ waitsFor: [] });
    await stage.flow.asks('stop', {});
    expect(stage.outcome).toMatchObject({ phase: 'Stopped' });
  });

  it('cleans up if it was admitted anyway', async () => {
    const stage = await JobStage.submit();
    await stage.flow.asks('stop', {});
    await stage.admits();
    expect(stage.inProgress).toEqual(['cleanUp']);
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.outcome).toMatchObject({ phase: 'Stopped', cause: { reason: 'StopRequested' } });
  });

  it('is admitted to be cleaned up, because the worker may have died when it had created pods', async () => {
    const stage = await JobStage.submit();
    await stage.flow.asks('stop', {});
    await stage.flow.activity('admit').fails(new Error('heartbeat timeout'), 'CANCEL_REQUESTED');
    expect(stage.admitRequest.isStopped).toBe(true);
    await stage.admits();
    expect(stage.inProgress).toEqual(['cleanUp']);
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.outcome).toMatchObject({ phase: 'Stopped', cause: { reason: 'StopRequested' } });
  });

  it('ends as cancelled if its workflow was cancelled', async () => {
    const stage = await JobStage.submit();
    await stage.flow.receives(cancellation());
    await stage.flow.activity('admit').confirmsCancellation();
    await stage.flow.activity('admit').fails(new Error('schedule to close timeout'), 'TIMEOUT');
    expect(stage.flow.ending).toEqual({ type: 'cancelled' });
  });
});
