import { expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { aDigest, aFailure, someEvidence } from '../machines/builders.ts';
import { allReady, JobStage, masterDone } from './job-stage.ts';
import { refusal } from './some-refusal.ts';
import { cancellation, signal } from './workflow-messages.ts';

/** What a job has counted, as Prometheus shows it: `name{tags}`, with the sum of all values. */
function counted({ flow }: JobStage): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { name, tags, value } of flow.metrics) {
    const { workflowType, ...own } = tags;
    const key = `${name.replace('signalbox_', '')} ${Object.values(own).join(' ')}`.trim();
    sums[key] = (sums[key] ?? 0) + value;
  }
  return sums;
}

it('a job that completes is counted once, with its times', async () => {
  const stage = await JobStage.submit();
  await stage.flow.passes(30_000);
  await stage.admits();
  await stage.completes('createAttempt', 10);
  await stage.receives(aDigest(11).master({ scheduled: 1 }).workers({ scheduled: 2 }));
  await stage.flow.passes(20_000);
  await stage.receives(aDigest(12).master({ ready: 1 }).workers({ ready: 2 }));
  await stage.flow.passes(50_000);
  await stage.receives(masterDone(13));
  await stage.completes('cleanUp');
  expect(counted(stage)).toEqual({
    'jobs_submitted_total ml PyTorchJob': 1,
    'job_wait_seconds PyTorchJob': 50,
    'job_start_seconds PyTorchJob': 20,
    'job_duration_seconds PyTorchJob Completed': 100,
    'jobs_ended_total ml PyTorchJob Completed none': 1,
  });
});

it('a manifest that cannot run has neither namespace nor kind: nobody has checked them', async () => {
  const stage = await JobStage.submit();
  await stage.flow.activity('admit').fails(ApplicationFailure.nonRetryable('no', 'InvalidManifest', []));
  expect(counted(stage)).toEqual({
    jobs_submitted_total: 1,
    'jobs_ended_total Failed InvalidManifest': 1,
    'job_duration_seconds Failed': 0,
  });
});

it('a refusal of the API server counts once for each reason', async () => {
  const stage = await JobStage.submit();
  for (const reason of ['QuotaExceeded', 'QuotaExceeded', 'WebhookUnavailable'] as const) {
    await stage.flow.activity('admit').fails(refusal({ reason }));
    await stage.flow.passes(60_000);
  }
  expect(counted(stage)).toEqual({
    'job_refusals_total QuotaExceeded': 1,
    'job_refusals_total WebhookUnavailable': 1,
  });
});

it('requests are counted by their result', async () => {
  const stage = await JobStage.running();
  await stage.flow.asks('retryNow', {});
  await stage.flow.receives(signal('stop', {}), cancellation());
  expect(counted(stage)).toMatchObject({
    'job_requests_total retryNow refused': 1,
    'job_requests_total stop accepted': 1,
  });
});

it('a restart is counted with its scope and class, and timed until the job runs again', async () => {
  const stage = await JobStage.running();
  const failed = aFailure({ role: 'worker', index: 1, exitCode: 137, reason: 'Evicted' });
  await stage.receives(aDigest(12).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure(failed));
  await stage.records();
  const evidence = [someEvidence({ ...failed, ref: 'file:///evidence' })];
  await stage.flow.activity('capture').completes({ resourceVersion: 12, evidence });
  await stage.flow.passes(30_000);
  await stage.completes('restorePods', 14);
  await stage.records();
  await stage.receives(allReady(15));
  expect(counted(stage)).toMatchObject({
    'evidence_total saved': 1,
    'job_restarts_total ml pod userCode': 1,
    'job_recovery_seconds pod': 30,
  });
});

it('a job that continues in a new run is not counted again', async () => {
  const stage = await JobStage.running();
  stage.flow.growsTo(100_000);
  await stage.receives(allReady(12).progress('step 1', 1));
  const next = await stage.nextRun();
  await next.receives(masterDone(13));
  await next.completes('cleanUp');
  expect(counted(next)).toEqual({
    'job_duration_seconds PyTorchJob Completed': 0,
    'jobs_ended_total ml PyTorchJob Completed none': 1,
  });
});
