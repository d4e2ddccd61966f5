import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { AskWatcherRequest } from '../../activities/ask-watcher.ts';
import type { cleanUp } from '../../activities/clean-up.ts';
import type { RecordStatusRequest } from '../../activities/record-status.ts';
import { endedAt } from '../../contracts/status.ts';
import { timeOf } from '../../language/time.ts';
import { aDigest } from '../machines/builders.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';
import { allReady, JobStage, masterDone } from './job-stage.ts';
import { cancellation } from './workflow-messages.ts';

type CleanUpRequest = Parameters<typeof cleanUp>[1];

const MINUTE = 60_000;

describe('a job', () => {
  it('cleans up, records its outcome, and ends', async () => {
    const stage = await JobStage.running();
    await stage.receives(masterDone(12));
    expect(stage.inProgress).toEqual(['cleanUp']);
    await stage.completes('cleanUp');
    const { status, cleanUp } = stage.recording.request as RecordStatusRequest;
    expect([status.phase, cleanUp]).toEqual(['Completed', 'None']);
    expect(stage.flow.ending).toBeUndefined();
    await stage.records();
    expect(stage.flow.ending?.type).toBe('completed');
    expect(stage.outcome).toEqual(status);
  });

  it('ends without a further record if its clean-up has written the same', async () => {
    const stage = await JobStage.running();
    await stage.receives(masterDone(12));
    const cleanUp = stage.flow.activity('cleanUp');
    const { record } = cleanUp.request as CleanUpRequest;
    const recordedAt = Date.parse(record!.status.timeline.at(-1)!.at) + 2_000;
    await cleanUp.completes({ resourceVersion: 0, recordedAt });
    expect(stage.flow.ending?.type).toBe('completed');
    expect(stage.outcome).toEqual(endedAt(record!.status, timeOf(recordedAt)));
  });

  it('records its end again if its clean-up has a message', async () => {
    const stage = await JobStage.running();
    await stage.receives(masterDone(12));
    const result = { resourceVersion: 0, restored: 'the job was changed', recordedAt: Date.now() };
    await stage.flow.activity('cleanUp').completes(result);
    const { status } = stage.recording.request as RecordStatusRequest;
    expect(status.timeline.at(-1)).toMatchObject({
      state: 'Completed',
      cause: 'clean-up finished; the job was changed',
    });
  });

  it('fails with its outcome', async () => {
    const stage = await JobStage.admitted();
    await stage.flow
      .activity('createAttempt')
      .fails(ApplicationFailure.nonRetryable('denied', 'ClusterRefused'));
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.flow.ending).toMatchObject({
      error: { type: 'JobFailed', message: 'ClusterRefused: denied' },
    });
    expect(stage.outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
  });

  it('judges a limit by no answer that is older than what it knows', async () => {
    const policy = { progress: { log: 'step=(\\d+)', stalledAfter: '10m' } };
    const stage = await JobStage.running(aManifest({ policy }));
    await stage.flow.passes(10 * MINUTE);
    const ask = stage.flow.activity('askWatcher');
    const { at } = ask.request as AskWatcherRequest;
    await ask.completes();
    const silent = { silentMs: 10 * MINUTE };
    await stage.receives(allReady(10).answers(silent, at));
    expect(await stage.state()).toBe('Running');
    expect((await stage.status()).warnings).toHaveLength(1);
    await stage.receives(allReady(11).answers(silent, at));
    expect(stage.inProgress).toContain('capture');
  });

  it('records that it runs, once the watcher does not find that on the anchor', async () => {
    const stage = await JobStage.running();
    await stage.receives(allReady(11).unrecorded());
    expect((stage.recording.request as RecordStatusRequest).status.phase).toBe('Running');
    await stage.records();
    await stage.flow.signals('noSuchSignal');
    expect(stage.inProgress).toEqual([]);
  });

  it('shows the warnings of its manifest in its status', async () => {
    const stage = await JobStage.submit();
    const admission = anAdmission();
    await stage.admits({
      ...admission,
      revision: { ...admission.revision, warnings: ['spec.x is not used'] },
    });
    expect((await stage.status()).warnings).toEqual(['spec.x is not used']);
  });

  it('answers its updates before it ends, and accepts none that it can no longer carry out', async () => {
    const stage = await JobStage.running(aManifest({ policy: { scaleByRestart: true } }));
    const { job, answer } = stage.flow.update('scale', { role: 'Worker', replicas: 1 });
    await stage.flow.receives(job);
    await stage.receives(masterDone(12));
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.flow.ending).toBeUndefined();
    await stage.flow.activity('amend').completes(aRevision(aManifest()));
    expect(answer.refusal?.message).toContain('the outcome of the job is already decided');
    expect(stage.flow.ending?.type).toBe('completed');
  });

  it('answers an update with its phase, and acts on it', async () => {
    const stage = await JobStage.running();
    expect((await stage.flow.asks('suspend', {})).result).toEqual({ phase: 'Running' });
    expect(stage.inProgress).toEqual(['recordStatus', 'suspend']);
  });
});

describe('a job whose workflow is cancelled', () => {
  it('cancels its effect, cleans up, and ends as cancelled', async () => {
    const stage = await JobStage.admitted();
    await stage.flow.receives(cancellation());
    expect(stage.flow.activity('createAttempt').isCancelled).toBe(true);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(stage.flow.activity('cleanUp').isCancelled).toBe(false);
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.flow.ending).toEqual({ type: 'cancelled' });
  });
});

describe('an update that arrives together with a digest', () => {
  const gone = () => aDigest(12).attempt(0);

  it.each([
    ['suspend', {}],
    ['hold', { seconds: 1 }],
    ['stop', {}],
  ])('has the same result as after the digest: %s', async (update, asked) => {
    const [together, apart] = [await JobStage.running(), await JobStage.running()];
    const { job, answer } = together.flow.update(update, asked);
    await together.flow.receives(together.digestSignal(gone()), job);
    await apart.receives(gone());
    expect(answer).toEqual({ isAccepted: true, result: { phase: 'Restarting' } });
    expect(await apart.flow.asks(update, asked)).toEqual(answer);
    expect(await together.status()).toEqual(await apart.status());
  });
});

describe('a timer that judges a job by its digest', () => {
  const stalled = aManifest({ policy: { progress: { log: 'step=(\\d+)', stalledAfter: '10m' } } });
  const warning = /^the watcher has not answered a question of/;

  /** Runs a job without progress until its stall timer expires. */
  async function judged(): Promise<JobStage> {
    const stage = await JobStage.running(stalled);
    await stage.flow.passes(10 * MINUTE);
    return stage;
  }

  it('waits for the watcher’s answer, and warns meanwhile', async () => {
    const stage = await judged();
    expect(stage.inProgress).toEqual(['askWatcher']);
    await stage.flow.activity('askWatcher').completes();
    expect(await stage.status()).toMatchObject({
      state: 'Running',
      warnings: [expect.stringMatching(warning)],
    });
    await stage.receives(allReady(12));
    expect(await stage.state()).toBe('Running');
  });

  it('fires if the answer confirms the digest', async () => {
    const stage = await judged();
    await stage.flow.activity('askWatcher').completes();
    const { now } = stage.flow;
    await stage.flow.signals('digest', { ...allReady(12).build(), answers: now, silentMs: 10 * MINUTE });
    expect(await stage.status()).toMatchObject({ phase: 'Restarting', warnings: [] });
  });

  it('does not fire if the answer shows progress', async () => {
    const stage = await judged();
    await stage.flow.activity('askWatcher').completes();
    const { now } = stage.flow;
    const progress = allReady(12).progress('step=7', now).lastReportAt(now);
    await stage.flow.signals('digest', { ...progress.build(), answers: now, silentMs: 0 });
    expect(await stage.status()).toMatchObject({ state: 'Running', progress: 'step=7', warnings: [] });
    expect(stage.flow.timers).toMatchObject([{ name: 'stall', at: now + 10 * MINUTE }]);
  });

  it('is cancelled if the job ends meanwhile', async () => {
    const stage = await judged();
    await stage.receives(masterDone(12));
    expect(stage.inProgress).not.toContain('askWatcher');
    expect((await stage.status()).warnings).toEqual([]);
  });
});
