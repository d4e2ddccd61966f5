import { describe, expect, it } from '@jest/globals';
import type { RecordStatusRequest } from '../../activities/record-status.ts';
import type { restoreRun } from '../../workflows/continue-as-new.ts';
import { aDigest } from '../machines/builders.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';
import { JobStage, masterDone } from './job-stage.ts';
import { refusal } from './some-refusal.ts';
import { type Answer, cancellation } from './workflow-messages.ts';

type RunState = Parameters<typeof restoreRun>[0];

const LIMIT = 4_000;
const MINUTE = 60_000;

/** Temporal suggests a new run, and the job receives a digest that changes nothing. */
async function growsLong(stage: JobStage, length = LIMIT): Promise<void> {
  stage.flow.growsTo(length);
  await stage.receives(aDigest(1));
}

const carried = ({ flow: { ending } }: JobStage): RunState => {
  if (ending?.type !== 'continuedAsNew') throw new Error(`it has not continued, but ${ending?.type}`);
  return ending.args[1] as RunState;
};
const recordedPhase = (stage: JobStage) => (stage.recording.request as RecordStatusRequest).status.phase;

describe('a job with a long history', () => {
  it('continues in a new run from the same state', async () => {
    const stage = await JobStage.running();
    const before = await stage.status();
    await growsLong(stage);
    const next = await stage.nextRun();
    expect(await next.status()).toEqual(before);
    expect(next.inProgress).toEqual([]);
    await next.receives(masterDone(12));
    expect(await next.state()).toBe('Finishing.CleaningUp');
  });

  it('keeps its manifest and its admission', async () => {
    const stage = await JobStage.running();
    await growsLong(stage);
    const { ending } = stage.flow;
    const { plan: _plan, revision: _revision, done: _done, ...terms } = anAdmission();
    const plain = JSON.parse(JSON.stringify([aManifest(), terms]));
    expect(ending).toMatchObject({ args: [plain[0], { terms: plain[1], unfinished: [], events: [] }] });
  });

  it('keeps its memo and search attributes, and publishes nothing twice', async () => {
    const stage = await JobStage.running();
    const attributes = stage.flow.info.typedSearchAttributes;
    await growsLong(stage);
    const next = await stage.nextRun();
    expect(next.flow.info.memo).toEqual({ anchorUid: 'anchor-1', clusterId: 'cluster-1' });
    expect(next.flow.info.typedSearchAttributes).toEqual(attributes);
    expect(next.flow.commands).toEqual([]);
  });

  it('keeps its amendments', async () => {
    const stage = await JobStage.running(aManifest({ policy: { scaleByRestart: true } }));
    const { job, answer } = stage.flow.update('amendPolicy', { policy: {} });
    await stage.flow.receives(job);
    const { plan, revision } = aRevision(aManifest());
    const amended = { plan, revision: { ...revision, warnings: ['it was amended'] } };
    await stage.flow.activity('amend').completes(amended);
    expect(answer.result).toBeDefined();
    await growsLong(stage);
    expect(carried(stage).job.context.revision).toEqual(amended.revision);
    expect((await (await stage.nextRun()).status()).warnings).toEqual(['it was amended']);
  });

  it('keeps the manifest that was applied last, and refuses what its resource said before', async () => {
    const resource = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1', generation: 1 };
    const admission = anAdmission();
    const stage = await JobStage.submit();
    await stage.admits({ ...admission, settings: { ...admission.settings, resource } });
    await stage.completes('createAttempt', 10);
    const wanted = aManifest({ runPolicy: { backoffLimit: 3 } });
    const asked = (generation: number, manifest = wanted) => ({
      ...{ manifest, resource: { ...resource, generation } },
    });
    await stage.flow.asks('apply', asked(3));
    await stage.flow.activity('revise').completes({ planned: aRevision(wanted), changed: ['spec.x'] });
    await growsLong(stage);
    const { appliedRevision, terms } = carried(stage);
    expect([appliedRevision, terms.settings.resource]).toMatchObject([2, { generation: 3 }]);
    const next = await stage.nextRun();
    const source = await next.flow.query('source');
    expect(source).toMatchObject({
      manifest: { spec: { runPolicy: { backoffLimit: 3 } } },
      ...{ revision: 2, newest: 2 },
    });
    const older = await next.flow.asks('apply', asked(2, aManifest()));
    expect(older.refusal?.message).toMatch(/generation 2 of its resource is older than 3/);
    // The same once more, in a run that does not know the id of the update.
    const again = await next.flow.asks('apply', asked(3));
    await next.flow.activity('revise').completes({ changed: [] });
    expect(again.result).toMatchObject({ phase: 'Pending' });
    expect(await next.flow.query('source')).toMatchObject({ newest: 2 });
  });

  it('restarts its timers for the same time', async () => {
    const stage = await JobStage.running(aManifest({ runPolicy: { activeDeadlineSeconds: 600 } }));
    const { name, at } = stage.flow.timers[0]!;
    await stage.flow.passes(MINUTE);
    await growsLong(stage);
    const next = await stage.nextRun();
    expect(next.flow.timers).toMatchObject([{ name, at }]);
  });

  it('answers updates at the start of the new run from its restored state', async () => {
    const stage = await JobStage.running();
    await growsLong(stage);
    const asked: Answer[] = [];
    const next = await stage.nextRun((flow) =>
      ['resume', 'suspend'].map((name) => {
        const { job, answer } = flow.update(name, {});
        asked.push(answer);
        return job;
      }),
    );
    expect(asked[0]).toMatchObject({
      isAccepted: true,
      refusal: { message: 'the job is not suspended: Running' },
    });
    expect(asked[1]).toMatchObject({ isAccepted: true, result: { phase: 'Running' } });
    expect(await next.state()).toBe('Suspended.Draining');
  });

  it('repeats its open question to the watcher', async () => {
    const policy = { progress: { log: 'step=(\\d+)', stalledAfter: '10m' } };
    const stage = await JobStage.running(aManifest({ policy }));
    await stage.flow.passes(10 * MINUTE);
    await stage.flow.activity('askWatcher').completes();
    await growsLong(stage);
    const next = await stage.nextRun();
    await next.flow.passes(1);
    expect(next.inProgress).toEqual(['askWatcher']);
    expect((await next.status()).warnings).toHaveLength(1);
  });
});

describe('a busy job with a long history', () => {
  it('first completes its effect', async () => {
    const stage = await JobStage.admitted();
    await growsLong(stage);
    expect(stage.flow.activity('createAttempt').isCancelled).toBe(false);
    await stage.completes('createAttempt', 10);
    expect(carried(stage).unfinished).toEqual([]);
    expect(await (await stage.nextRun()).state()).toBe('Pending.Scheduling');
  });

  it('is interrupted at twice the length, and repeats its effect in the new run', async () => {
    const stage = await JobStage.admitted();
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(carried(stage).unfinished).toMatchObject([{ type: 'createAttempt', attempt: 1 }]);
    const next = await stage.nextRun();
    expect(next.inProgress).toEqual(['createAttempt']);
    await next.completes('createAttempt', 10);
    expect(await next.state()).toBe('Pending.Scheduling');
  });

  it('does not repeat an effect that completed anyway', async () => {
    const stage = await JobStage.admitted();
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    await stage.completes('createAttempt', 10);
    expect(carried(stage)).toMatchObject({
      unfinished: [],
      events: [{ type: 'effectDone', resourceVersion: 10 }],
    });
    const next = await stage.nextRun();
    expect(next.inProgress).toEqual([]);
    expect(await next.state()).toBe('Pending.Scheduling');
  });

  it('processes in the new run what it received during the interruption', async () => {
    const stage = await JobStage.running();
    await stage.flow.asks('suspend', {});
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    await stage.receives(aDigest(12).attempt(0));
    await stage.recording.confirmsCancellation();
    await stage.flow.activity('suspend').completes({ resourceVersion: 11 });
    expect(carried(stage).events).toMatchObject([
      { type: 'digest', digest: { resourceVersions: { pods: 12 } } },
      { type: 'effectDone', effect: 'suspend' },
    ]);
    expect(await (await stage.nextRun()).state()).toBe('Suspended.Resting');
  });

  it('does not count as busy while its effect is refused, and retries that in the new run', async () => {
    const stage = await JobStage.admitted();
    await stage.flow.activity('createAttempt').fails(refusal());
    await growsLong(stage);
    expect(carried(stage).unfinished).toMatchObject([{ type: 'createAttempt' }]);
    const next = await stage.nextRun();
    expect(next.inProgress).toEqual(['createAttempt']);
    expect((await next.status()).cause).toMatchObject({ reason: 'QuotaExceeded' });
  });

  it('records in the new run the phase whose recording was interrupted', async () => {
    const stage = await JobStage.running();
    await stage.flow.asks('suspend', {});
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    await stage.completes('suspend', 11);
    await stage.recording.confirmsCancellation();
    expect(carried(stage).recorded).toEqual({ phase: 'Running', digestHash: '', record: 2 });
    const next = await stage.nextRun();
    expect(recordedPhase(next)).toBe('Suspended');
  });
});

describe('a job with a long history does not start a new run', () => {
  it('before its updates are answered', async () => {
    const stage = await JobStage.running();
    const { job, answer } = stage.flow.update('amendPolicy', { policy: {} });
    await stage.flow.receives(job);
    await growsLong(stage);
    expect(stage.flow.ending).toBeUndefined();
    await stage.flow.activity('amend').completes(aRevision(aManifest()));
    expect(answer.result).toEqual({ phase: 'Running' });
    expect(stage.flow.ending?.type).toBe('continuedAsNew');
  });

  it('before updates that arrived during the interruption are answered', async () => {
    const stage = await JobStage.admitted();
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    const { job, answer } = stage.flow.update('amendPolicy', { policy: {} });
    await stage.flow.receives(job);
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(stage.flow.ending).toBeUndefined();
    await stage.flow.activity('amend').completes(aRevision(aManifest()));
    expect(answer.result).toEqual({ phase: 'Pending' });
    expect(carried(stage).events).toMatchObject([{ type: 'amend' }]);
  });

  it('after its workflow was cancelled', async () => {
    const stage = await JobStage.running();
    await stage.flow.receives(cancellation());
    await growsLong(stage, 2 * LIMIT);
    expect(stage.flow.ending).toBeUndefined();
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.flow.ending).toEqual({ type: 'cancelled' });
  });

  it('if its workflow is cancelled during the interruption', async () => {
    const stage = await JobStage.admitted();
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    await stage.flow.receives(cancellation());
    await stage.flow.activity('createAttempt').confirmsCancellation();
    expect(stage.inProgress).toEqual(['cleanUp']);
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.flow.ending).toEqual({ type: 'cancelled' });
  });

  it('but repeats the interrupted effect, if its workflow is cancelled during the interruption', async () => {
    const stage = await JobStage.running();
    await stage.receives(masterDone(12));
    await growsLong(stage);
    await growsLong(stage, 2 * LIMIT);
    await stage.flow.receives(cancellation());
    await stage.flow.activity('cleanUp').confirmsCancellation();
    await stage.completes('cleanUp');
    await stage.records();
    expect(stage.outcome).toMatchObject({ phase: 'Completed' });
  });
});

describe('a second argument that looks like the state of an earlier run', () => {
  /** The state of a job that runs. */
  async function someState(): Promise<RunState> {
    const stage = await JobStage.running();
    await growsLong(stage);
    return carried(stage);
  }

  const CONTINUES = { continuedFromExecutionRunId: 'run-0' };

  it('does not replace admission, which refuses it, if a client started the run', async () => {
    const args = [aManifest(), await someState()];
    const stage = await JobStage.submit(undefined, undefined, { args });
    expect(stage.inProgress).toEqual(['admit']);
    expect(await stage.state()).toBe('Pending.Admitting');
  });

  it.each<[string, object]>([
    ['the run is a retry', { ...CONTINUES, attempt: 2 }],
    ['cron started the run', { ...CONTINUES, cronSchedule: '@daily' }],
  ])('is no state if %s: such a run is refused', async (_, info) => {
    const args = [aManifest(), await someState()];
    const stage = await JobStage.submit(undefined, undefined, { args, info });
    expect(stage.inProgress).toEqual([]);
    expect(await stage.state()).toBe('Failed');
  });

  it('fails no workflow task if it is malformed', async () => {
    const args = [aManifest(), { job: {}, terms: {} }];
    const stage = await JobStage.submit(undefined, undefined, { args });
    expect(stage.inProgress).toEqual(['admit']);
  });

  it('is believed in a run that continues another one, as also a reset of it does', async () => {
    const args = [aManifest(), await someState()];
    const stage = await JobStage.submit(undefined, undefined, { args, info: CONTINUES });
    expect(await stage.state()).toBe('Running');
    expect(stage.inProgress).toEqual([]);
  });
});
