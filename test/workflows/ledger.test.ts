import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { aManifest, anAdmission } from './admissions.ts';
import { allReady, JobStage } from './job-stage.ts';
import { refusal } from './some-refusal.ts';
import { cancellation, signal } from './workflow-messages.ts';

/** State after, and cause in a word. */
const briefly = async (stage: JobStage) =>
  (await stage.ledger()).map(({ to, cause }) => {
    if (cause.type === 'request') return `${cause.request}${cause.refused ? ' refused' : ''}: ${to}`;
    return cause.type === 'effect' ? `${cause.effect} ${cause.ended}: ${to}` : `${cause.type}: ${to}`;
  });

describe('the ledger before admission', () => {
  it('begins with who submitted the job, and why', async () => {
    const memo = { submittedBy: 'ana', why: 'a trial' };
    const stage = await JobStage.submit(aManifest(), undefined, { memo });
    expect(await stage.ledger()).toMatchObject([
      {
        seq: 1,
        to: 'Pending.Admitting',
        cause: { type: 'submitted', who: { given: 'ana' }, why: 'a trial' },
        message: 'PyTorchJob ml/resnet was submitted',
        effects: [{ effect: 'admit' }],
      },
    ]);
  });

  it('says how long the admission took', async () => {
    const stage = await JobStage.submit();
    await stage.flow.passes(2_000);
    await stage.admits();
    expect((await stage.ledger())[1]).toMatchObject({
      from: 'Pending.Admitting',
      to: 'Pending.Creating',
      cause: { type: 'effect', effect: 'admit', ended: 'done', began: 1, ms: 2_000 },
    });
  });

  it('says once for each reason what the job waits for', async () => {
    const stage = await JobStage.submit();
    for (const reason of ['QuotaExceeded', 'QuotaExceeded', 'WebhookUnavailable'] as const) {
      await stage.flow.activity('admit').fails(refusal({ reason }));
      await stage.flow.passes(60_000);
    }
    const waits = (await stage.ledger()).slice(1);
    expect(waits.map(({ reason }) => reason)).toEqual(['QuotaExceeded', 'WebhookUnavailable']);
    expect(waits[0]).toMatchObject({ cause: { effect: 'admit', ended: 'refused', began: 1 } });
  });

  it('ends with the faults of a manifest that cannot run', async () => {
    const stage = await JobStage.submit();
    await stage.flow
      .activity('admit')
      .fails(ApplicationFailure.nonRetryable('spec: expected an object', 'InvalidManifest', []));
    expect((await stage.ledger()).at(-1)).toMatchObject({
      to: 'Failed',
      reason: 'InvalidManifest',
      cause: { type: 'effect', effect: 'admit', ended: 'failed', began: 1 },
      message: 'spec: expected an object',
    });
  });

  it('has all requests that came meanwhile, and which of them ended the job', async () => {
    const stage = await JobStage.submit();
    await stage.flow.activity('admit').fails(refusal());
    await stage.flow.receives(signal('suspend', { by: 'ana' }), signal('stop', { by: 'ben' }));
    await stage.flow.passes(60_000);
    expect(await briefly(stage)).toEqual([
      'submitted: Pending.Admitting',
      'admit refused: Pending.Admitting',
      'suspend: Pending.Admitting',
      'stop: Stopped',
    ]);
  });
});

describe('the ledger of a job', () => {
  it('has each request once, at the place where the job received it', async () => {
    const stage = await JobStage.submit();
    await stage.flow.receives(signal('suspend', { by: 'ana' }));
    await stage.admits(anAdmission());
    expect(await briefly(stage)).toEqual([
      'submitted: Pending.Admitting',
      'admit done: Pending.Creating',
      'suspend: Suspended.Draining',
    ]);
  });

  it('has refused updates with their id, except those with an invalid input', async () => {
    const stage = await JobStage.running();
    await stage.flow.asks('resume', { by: 'ana' });
    await stage.flow.asks('scale', { role: 'Nobody', replicas: 2 });
    await stage.flow.asks('scale', { role: 'Worker', replicas: 'two' });
    const requests = (await stage.ledger()).filter(({ cause }) => cause.type === 'request');
    expect(requests).toMatchObject(
      [
        { cause: { request: 'resume', id: 'resume-0', who: { given: 'ana' }, refused: /not suspended/ } },
        { cause: { request: 'scale', asked: { role: 'Nobody', replicas: 2 }, refused: /^role: expected/ } },
      ].map(({ cause }) => ({ cause: { ...cause, refused: expect.stringMatching(cause.refused) } })),
    );
  });

  it('has an entry when the job no longer waits', async () => {
    const stage = await JobStage.admitted();
    await stage.completes('createAttempt', 10);
    await stage.receives(allReady(11));
    const reasons = (await stage.ledger()).map(({ reason }) => reason);
    expect(reasons).toEqual(['CreatingObjects', 'CreatingObjects', 'AwaitingWatcher', undefined]);
  });

  it('names the cancellation of the workflow', async () => {
    const stage = await JobStage.running();
    await stage.flow.receives(cancellation());
    expect((await briefly(stage)).at(-1)).toBe('cancel: Finishing.CleaningUp');
  });
});
