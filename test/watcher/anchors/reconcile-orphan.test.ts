import { describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ClusterClient } from '../../../cluster/client.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { reconcileOrphan } from '../../../watcher/anchors/reconcile-orphan.ts';
import { aVisibilityOf } from '../../temporal/visibility.ts';
import { anAnchor } from '../fixtures.ts';

const CLOSED = new Date('2026-11-26T10:00:00Z');
const JOB = 'job/default/resnet';

interface Known {
  readonly status: string;
  readonly firstRunId?: string;
  readonly closeTime?: Date;
  /** The uid of the anchor that it has by its memo. */
  readonly anchorUid?: string;
}

/** A Temporal that knows these workflows, and an anchor with a phase that somebody wrote. */
function world(phase: string, workflows: Readonly<Record<string, Known>>, workflowId?: string) {
  const started: string[] = [];
  const renamed: string[] = [];
  const anchor = anAnchor({ phase, firstRunId: 'run-1', installation: 'ours', workflowId });
  const getHandle = (workflowId: string) => ({
    describe: async () => {
      const known = workflows[workflowId];
      if (!known) throw new WorkflowNotFoundError('not found', workflowId, undefined);
      const { status, closeTime, firstRunId = 'run-1', anchorUid } = known;
      const raw = { workflowExecutionInfo: { firstRunId } };
      return { workflowId, runId: 'run-1', status: { name: status }, closeTime, memo: { anchorUid }, raw };
    },
  });
  const start = async (_type: string, { workflowId }: { readonly workflowId: string }) =>
    void started.push(workflowId);
  const running = Object.entries(workflows).filter(([, { status }]) => status === 'RUNNING');
  const tools = {
    temporal: { workflow: { getHandle, start }, ...aVisibilityOf(running) } as unknown as Client,
    cluster: { find: async () => anchor } as unknown as ClusterClient,
    home: { installation: 'ours' },
    taskQueue: 'signalbox',
    misnamed: (_: unknown, own: string) => void renamed.push(own),
  };
  return { started, renamed, reconcile: () => reconcileOrphan(tools, anchorFacts(anchor)!) };
}

const CLEAN_UP = `orphan/default/${anAnchor().metadata.name}/anchor-1`;
const later = (ms: number) => new Date(CLOSED.getTime() + ms);

describe('an anchor that says Completed', () => {
  it.each(['TERMINATED', 'TIMED_OUT'])(
    'is cleaned up if its workflow was ended from outside: %s',
    async (status) => {
      const { reconcile, started } = world('Completed', { [JOB]: { status, closeTime: CLOSED } });
      expect(await reconcile()).toBe('orphaned');
      expect(started).toEqual([CLEAN_UP]);
    },
  );

  it('is not cleaned up again after an orphan clean-up has completed', async () => {
    const { reconcile, started } = world('Stopped', {
      [JOB]: { status: 'TERMINATED', closeTime: CLOSED },
      [CLEAN_UP]: { status: 'COMPLETED', closeTime: later(1_000) },
    });
    expect(await reconcile()).toBe('over');
    expect(started).toEqual([]);
  });

  it('is cleaned up again if the orphan clean-up was before the end', async () => {
    const { reconcile } = world('Stopped', {
      [JOB]: { status: 'TERMINATED', closeTime: CLOSED },
      [CLEAN_UP]: { status: 'COMPLETED', closeTime: later(-1_000) },
    });
    expect(await reconcile()).toBe('orphaned');
  });

  it.each(['COMPLETED', 'CANCELLED'])(
    'is not cleaned up if its workflow ended by itself: %s',
    async (status) => {
      const { reconcile } = world('Completed', { [JOB]: { status, closeTime: CLOSED } });
      expect(await reconcile()).toBe('over');
    },
  );

  it('is not cleaned up if Temporal no longer knows its workflow', async () => {
    expect(await world('Completed', {}).reconcile()).toBe('over');
  });

  it('belongs to a running job', async () => {
    expect(await world('Completed', { [JOB]: { status: 'RUNNING' } }).reconcile()).toBe('running');
  });

  it('belongs to the running job that names it, whatever first run it has', async () => {
    const job = { status: 'RUNNING', firstRunId: 'run-2' };
    expect(await world('Completed', { [JOB]: { ...job, anchorUid: 'anchor-1' } }).reconcile()).toBe(
      'running',
    );
    expect(await world('Completed', { [JOB]: job }).reconcile()).toBe('superseded');
  });
});

describe('an anchor that names the workflow of another job', () => {
  const other = 'job/default/other';

  it.each<[string, Readonly<Record<string, Known>>]>([
    ['is unknown', {}],
    ['has ended', { [other]: { status: 'COMPLETED', closeTime: CLOSED, anchorUid: 'another' } }],
    ['was terminated', { [other]: { status: 'TERMINATED', closeTime: CLOSED, anchorUid: 'another' } }],
    ['is running', { [other]: { status: 'RUNNING', anchorUid: 'another' } }],
  ])('is not cleaned up while its own is running: the other %s', async (_, others) => {
    for (const own of [JOB, 'by-hand']) {
      const workflows = { ...others, [own]: { status: 'RUNNING', anchorUid: 'anchor-1' } };
      const { reconcile, started, renamed } = world('Running', workflows, other);
      expect(await reconcile()).toBe('running');
      expect([started, renamed]).toEqual([[], [own]]);
    }
  });

  it('belongs to that job if no workflow claims it', async () => {
    const { reconcile, started } = world(
      'Running',
      { [other]: { status: 'RUNNING', anchorUid: 'another' } },
      other,
    );
    expect(await reconcile()).toBe('foreign');
    expect(started).toEqual([]);
  });
});

it('a job whose end is not recorded is cleaned up, unless Temporal knows its end', async () => {
  expect(await world('Running', {}).reconcile()).toBe('orphaned');
});
