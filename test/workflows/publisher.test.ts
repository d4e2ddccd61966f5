import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordStatusRequest } from '../../activities/record-status.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import type { JobStatus, TimelineEntry } from '../../contracts/types.ts';
import { NEWLY_RECORDED, type Published, type Recorded } from '../../workflows/next-record.ts';
import { createPublisher } from '../../workflows/publisher.ts';
import { createSearchAttributes } from '../../workflows/search-attributes.ts';
import { ANCHOR } from '../machines/builders.ts';
import { aStatus } from './some-status.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

type Publisher = ReturnType<typeof createPublisher>;

const TTL_SECONDS = 60;
const ANCHORED = { anchorUid: ANCHOR, clusterId: 'cluster-1', ttlSeconds: TTL_SECONDS };

let flow: WorkflowHost;
let publisher: Publisher;

const publish = (status: JobStatus, more?: Published) => flow.runs(() => publisher.publish(status, more));
const EVERYTHING = { cleanUp: 'Everything' } as const;
const recording = () => flow.activity('recordStatus');
const recorded = () => (recording().request as RecordStatusRequest).status;
const isRecording = () => flow.activities.length > 0;
const attribute = (name: string) =>
  flow.info.typedSearchAttributes.getAll().find(({ key }) => key.name === name)?.value;

const message = 'the gang is not complete';
const waiting = (fields: Partial<JobStatus> = {}) =>
  aStatus('Restarting', { cause: { reason: 'WaitingForGang', message }, ...fields });
const entry = (index: number): TimelineEntry => ({
  ...{ at: `2026-01-01T00:00:${10 + index}Z`, phase: 'Starting', state: 'Starting' },
  ...{ attempt: 1, cause: `step ${index}` },
});
const timeline = Array.from({ length: 12 }, (_, index) => entry(index));

const open = (
  more: { readonly recorded?: Recorded; readonly hasResource?: boolean; readonly notifies?: 'kueue' } = {},
) =>
  flow.runs(() => {
    const search = createSearchAttributes(() => ({}), aStatus('Pending'));
    const ttlSeconds = () => TTL_SECONDS;
    return createPublisher(ANCHORED, { search, recorded: NEWLY_RECORDED, ttlSeconds, ...more });
  });

beforeEach(async () => {
  flow = await startIdleWorkflow();
  publisher = await open();
});

describe('a published status', () => {
  it('adds nothing to the history unless phase, reason or attempt change', async () => {
    await publish(aStatus('Pending', { restarts: 2, progress: 'step 4', timeline }));
    expect(flow.commands).toEqual([]);
  });

  it('is searchable by phase, reason and attempt', async () => {
    await publish(waiting({ attempt: 2 }));
    expect([attribute('JobPhase'), attribute('JobReason'), attribute('JobAttempt')]).toEqual([
      'Restarting',
      'WaitingForGang',
      2,
    ]);
    expect(attribute('JobName')).toBeUndefined();
  });

  it('removes a reason that no longer holds', async () => {
    await publish(waiting());
    await publish(aStatus('Restarting'));
    expect(attribute('JobReason')).toBeUndefined();
    expect(attribute('JobPhase')).toBe('Restarting');
  });
});

describe('the record on the anchor', () => {
  it('is written when the phase changes', async () => {
    await publish(waiting({ timeline }));
    const status = waiting({ timeline: timeline.slice(2) });
    expect(recording().request).toEqual({ ...ANCHORED, status, digestHash: '', record: 2 });
  });

  it('names the last digest of a job that runs, until there is another one', async () => {
    const publishes = async (phase: 'Restarting' | 'Running', digestHash: string) => {
      await publish(aStatus(phase), { digestHash });
      const written = isRecording() ? (recording().request as RecordStatusRequest).digestHash : undefined;
      if (isRecording()) await recording().completes();
      return written;
    };
    expect(await publishes('Restarting', 'one')).toBe('');
    expect(await publishes('Restarting', 'two')).toBeUndefined();
    expect(await publishes('Running', 'three')).toBe('three');
    expect(await publishes('Running', 'three')).toBeUndefined();
    expect(await publishes('Running', 'four')).toBe('');
    expect(await publishes('Running', 'three')).toBeUndefined();
    expect((await flow.starts(() => publisher.interrupt())).result).toEqual({
      phase: 'Running',
      digestHash: '',
      record: 4,
    });
  });

  it('is not written when only the reason or the attempt changes', async () => {
    await publish(waiting());
    await recording().completes();
    await publish(waiting({ cause: { reason: 'Unschedulable', message } }));
    await publish(waiting({ attempt: 2 }));
    expect(isRecording()).toBe(false);
    expect(flow.commands.filter((kind) => kind === 'upsertWorkflowSearchAttributes')).toHaveLength(3);
  });

  it('skips to the newest status after the one being written', async () => {
    await publish(waiting());
    await publish(aStatus('Running'));
    await publish(aStatus('Suspended'));
    expect(recorded().phase).toBe('Restarting');
    await recording().completes();
    expect(recorded().phase).toBe('Suspended');
    await recording().completes();
    expect(isRecording()).toBe(false);
  });

  it('returns to an earlier phase if the job does while another is being written', async () => {
    await publish(waiting());
    await publish(aStatus('Pending'));
    await recording().completes();
    expect(recorded().phase).toBe('Pending');
  });

  it('gets a final phase only when nothing is left to do', async () => {
    await publish(aStatus('Failed', { state: 'Finishing.CleaningUp' }), EVERYTHING);
    expect(isRecording()).toBe(false);
    await publish(aStatus('Failed', { timeline }), EVERYTHING);
    expect(recording().request).toEqual({
      ...ANCHORED,
      status: aStatus('Failed', { timeline }),
      cleanUp: 'Everything',
      digestHash: '',
      record: 2,
    });
  });

  it('has no clean-up scope before that', async () => {
    await publish(aStatus('Restarting'), EVERYTHING);
    expect((recording().request as RecordStatusRequest).cleanUp).toBeUndefined();
  });

  it('is settled when it has the newest status', async () => {
    const settled = await flow.starts(() => publisher.settled());
    expect(settled.isOver).toBe(true);
    await publish(waiting());
    await publish(aStatus('Completed'));
    const over = await flow.starts(() => publisher.settled());
    await recording().completes();
    expect([over.isOver, publisher.isIdle()]).toEqual([false, false]);
    await recording().completes();
    expect([over.isOver, publisher.isIdle()]).toEqual([true, true]);
  });

  it('does not block the job if it cannot be written', async () => {
    await publish(waiting());
    await recording().fails(new Error('no room'));
    expect(publisher.isIdle()).toBe(true);
    await publish(aStatus('Running'));
    expect(recorded().phase).toBe('Running');
  });
});

describe('a job that is suspended', () => {
  const startTime = '2026-11-27T12:00:00Z';
  const draining = aStatus('Suspended', { state: 'Suspended.Draining', startTime });
  const resting = aStatus('Suspended', { state: 'Suspended.Resting' });

  it('is recorded once', async () => {
    await publish(draining);
    await recording().completes();
    await publish(resting);
    expect(isRecording()).toBe(false);
  });

  it('is recorded once more when its pods are gone, if a resource shows that', async () => {
    publisher = await open({ hasResource: true });
    await publish(draining);
    await publish(draining);
    await recording().completes();
    expect(isRecording()).toBe(false);
    const { result: known } = await flow.starts(() => publisher.interrupt());
    expect(known).toEqual({ phase: 'Suspended', digestHash: '', record: 2, isDraining: true });
    // In the next run of the workflow.
    publisher = await open({ hasResource: true, recorded: known! });
    await publish(resting);
    expect(recording().request).toEqual({ ...ANCHORED, status: resting, digestHash: '', record: 3 });
    await recording().completes();
    await publish(resting);
    expect(isRecording()).toBe(false);
  });

  it('is recorded once if it was created suspended: it has had no pods', async () => {
    publisher = await open({ hasResource: true });
    await publish({ ...draining, startTime: undefined });
    await recording().completes();
    await publish(resting);
    expect(isRecording()).toBe(false);
  });
});

describe('what a job waits for', () => {
  const refused = (reason: ReasonCode, said: string) =>
    aStatus('Pending', { cause: { reason, message: `${said}; retrying` } });
  const shown = () =>
    flow.takeShown().map(({ status, record, over }) => [status.cause?.reason, record, over]);

  it('is recorded when the phase changes, and not before, if there is no resource', async () => {
    await publish(refused('QuotaExceeded', 'exceeded quota'));
    expect([shown(), isRecording()]).toEqual([[], false]);
  });

  it('is shown once, if a resource shows it: without an activity, and again with another reason, or none', async () => {
    publisher = await open({ hasResource: true });
    await publish(refused('QuotaExceeded', 'exceeded quota'));
    await publish(refused('QuotaExceeded', 'exceeded quota still'));
    expect(shown()).toEqual([['QuotaExceeded', 2, { phase: 'Pending', record: 1 }]]);
    await publish(aStatus('Pending', { cause: { reason: 'Unschedulable', message: 'no node has room' } }));
    await publish(aStatus('Pending', { cause: { reason: 'CreatingObjects', message: 'soon over' } }));
    await publish(aStatus('Pending'));
    expect(shown()).toEqual([
      ['Unschedulable', 3, { phase: 'Pending', record: 2 }],
      ['CreatingObjects', 4, { phase: 'Pending', record: 3 }],
    ]);
    expect(isRecording()).toBe(false);
  });

  it('is not shown again in the next run of the workflow', async () => {
    publisher = await open({ hasResource: true });
    await publish(refused('QuotaExceeded', 'exceeded quota'));
    const { result: known } = await flow.starts(() => publisher.interrupt());
    publisher = await open({ hasResource: true, recorded: known! });
    flow.takeShown();
    await publish(refused('QuotaExceeded', 'exceeded quota'));
    expect(shown()).toEqual([]);
  });
});

describe('a running job that waits for something', () => {
  it('keeps what the anchor says of its digest, unless that is outdated', async () => {
    const running = (reason: ReasonCode, digestHash: string) =>
      publish(aStatus('Running', { cause: { reason, message: 'why' } }), { digestHash });
    publisher = await open({
      hasResource: true,
      recorded: { phase: 'Running', digestHash: 'one', record: 3 },
    });
    await running('Stalled', 'one');
    await running('PodFailed', 'two');
    expect(flow.takeShown().map(({ digestHash, record }) => [digestHash, record])).toEqual([['one', 4]]);
    expect(recording().request).toMatchObject({ digestHash: '', record: 5 });
  });
});

describe('a job that comes to run', () => {
  const shown = () => flow.takeShown().map(({ status, ...others }) => ({ ...others, phase: status.phase }));

  it('shows counts that change within a phase, if a resource shows them, and adds nothing to the history', async () => {
    const counting = (active: number) => aStatus('Running', { replicaStatuses: { Worker: { active } } });
    for (const hasResource of [true, false]) {
      publisher = await open({ hasResource, recorded: { phase: 'Running', record: 3, digestHash: '' } });
      await publish(counting(4));
      flow.takeShown();
      const { length } = flow.commands;
      for (const active of [3, 3, 2]) await publish(counting(active));
      const same = { over: { phase: 'Running', record: 3 }, record: 3, isRecount: true };
      const shown = [3, 2].map((active) => ({
        ...ANCHORED,
        ...same,
        status: counting(active),
        digestHash: '',
      }));
      expect(flow.takeShown()).toEqual(hasResource ? shown : []);
      expect(flow.commands).toHaveLength(length);
    }
  });

  it('shows counts that have changed while it was recorded, afterwards', async () => {
    publisher = await open({ hasResource: true, recorded: { phase: 'Running', record: 3, digestHash: '' } });
    await publish(aStatus('Restarting', { replicaStatuses: { Worker: {} } }));
    await publish(aStatus('Restarting', { replicaStatuses: { Worker: { failed: 1 } } }));
    expect(flow.takeShown()).toEqual([]);
    await recording().completes();
    expect(flow.takeShown()).toMatchObject([
      { status: { replicaStatuses: { Worker: { failed: 1 } } }, over: { phase: 'Restarting', record: 4 } },
    ]);
  });

  it('shows its phases without an activity, each over the one before', async () => {
    await publish(aStatus('Starting'), { digestHash: 'one' });
    await publish(aStatus('Running'), { digestHash: 'two' });
    expect(shown()).toEqual([
      { ...ANCHORED, phase: 'Starting', digestHash: '', record: 2, over: { phase: 'Pending', record: 1 } },
      {
        ...{ ...ANCHORED, phase: 'Running', digestHash: 'two', record: 3 },
        over: { phase: 'Starting', record: 2 },
      },
    ]);
    expect([isRecording(), publisher.isIdle()]).toEqual([false, true]);
    expect((await flow.starts(() => publisher.interrupt())).result).toMatchObject({ phase: 'Running' });
  });

  it('records it once the watcher finds nothing of that on the anchor', async () => {
    await publish(aStatus('Running'), { digestHash: 'one' });
    await publish(aStatus('Running'), { digestHash: 'one' });
    expect(isRecording()).toBe(false);
    await publish(aStatus('Running'), { digestHash: 'one', isUnrecorded: true });
    await publish(aStatus('Running'), { digestHash: 'one', isUnrecorded: true });
    expect(recording().request).toMatchObject({ digestHash: '', record: 3, status: { phase: 'Running' } });
    await recording().completes();
    expect(isRecording()).toBe(false);
  });

  it('records all other changes by an activity', async () => {
    await publish(aStatus('Running'), { digestHash: 'one' });
    await publish(aStatus('Running'), { digestHash: 'two' });
    await recording().completes();
    for (const phase of ['Restarting', 'Running', 'Suspended', 'Pending'] as const) {
      await publish(aStatus(phase));
      expect(recorded().phase).toBe(phase);
      await recording().completes();
    }
    expect(shown()).toHaveLength(1);
  });

  it('waits for a record in progress', async () => {
    await publish(waiting());
    await publish(aStatus('Starting'));
    await publish(aStatus('Running'));
    expect(shown()).toEqual([]);
    await recording().completes();
    expect(recorded().phase).toBe('Running');
  });
});

describe('the quota of pods that have ended', () => {
  const running = (attempt: number, ended: number) => publish(aStatus('Running', { attempt }), { ended });
  const returned = () => flow.returned.map(({ attempt }) => attempt);

  it('is given back while the job runs, whenever more have ended, without an event in the history', async () => {
    publisher = await open({ notifies: 'kueue' });
    await running(1, 0);
    await recording().completes();
    await running(1, 2);
    await running(1, 2);
    await running(1, 3);
    await running(2, 1);
    const { name, namespace } = aStatus('Running');
    const about = { anchorUid: ANCHOR, clusterId: 'cluster-1', name, namespace };
    expect(flow.returned[0]).toEqual({ ...about, attempt: 1 });
    expect(returned()).toEqual([1, 1, 2]);
    expect(isRecording()).toBe(false);
  });

  it('is kept while the job restarts, when it ends, and where nobody gave any', async () => {
    await running(1, 2);
    publisher = await open({ notifies: 'kueue' });
    for (const phase of ['Restarting', 'Completed'] as const) await publish(aStatus(phase), { ended: 2 });
    expect(returned()).toEqual([]);
  });
});

describe('interrupting the publisher', () => {
  const interrupt = () => flow.starts(() => publisher.interrupt());

  it('returns the recorded phase', async () => {
    expect((await interrupt()).result).toEqual({ phase: 'Pending', digestHash: '', record: 1 });
    await publish(waiting());
    await recording().completes();
    expect((await interrupt()).result).toEqual({ phase: 'Restarting', digestHash: '', record: 2 });
  });

  it('cancels the record in progress, and waits for it', async () => {
    await publish(waiting());
    const interruption = await interrupt();
    expect(recording().isCancelled).toBe(true);
    expect(interruption.isOver).toBe(false);
    await recording().confirmsCancellation();
    expect(interruption.result).toEqual({ phase: 'Pending', digestHash: '', record: 1 });
  });

  it('returns a phase that was recorded anyway', async () => {
    await publish(waiting());
    const interruption = await interrupt();
    await recording().completes();
    expect(interruption.result).toEqual({ phase: 'Restarting', digestHash: '', record: 2 });
  });

  it('drops a status that was waiting', async () => {
    await publish(waiting());
    await publish(aStatus('Running'));
    const interruption = await interrupt();
    await recording().completes();
    expect(isRecording()).toBe(false);
    expect(interruption.result).toEqual({ phase: 'Restarting', digestHash: '', record: 2 });
  });

  it('lets the same status be recorded later', async () => {
    await publish(waiting());
    await interrupt();
    await recording().confirmsCancellation();
    await publish(waiting());
    expect(recorded().phase).toBe('Restarting');
  });
});
