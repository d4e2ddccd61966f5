import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ShowStatusRequest, showStatus } from '../../activities/record-status.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import type { JobStatus, Phase } from '../../contracts/types.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { type ActivityStage, type Admitted, openActivityStage } from './activity-stage.ts';

/** A ConfigMap holds 1 MiB: what does not fit is cut, and the end of a job is recorded all the same. */

let stage: ActivityStage;

beforeAll(async () => {
  stage = await openActivityStage();
});

afterAll(() => stage.close());

const ENTRY = { at: '2026-01-01T00:00:00Z', phase: 'Running', state: 'Running', attempt: 1 } as const;

const aLongStatus = (name: string): JobStatus => ({
  ...{ kind: 'PyTorchJob', name, namespace: stage.namespace, phase: 'Completed', state: 'Completed' },
  ...{ attempt: 7, restarts: 6, conditions: [], replicaStatuses: {}, warnings: [] },
  timeline: Array.from({ length: 100 }, (_, index) => ({ ...ENTRY, cause: `${index}`.padEnd(12_000, 'x') })),
});

const MOST = 1_048_576;
const RECORD = { digestHash: '', record: 2 };

/** Its anchor has so much room beside the job. */
async function aJobWithRoom(name: string, room: number): Promise<Admitted> {
  const run = await stage.admit(simulatedJob({ name, namespace: stage.namespace }));
  const filler = MOST - JSON.stringify(run.job).length - room;
  const target = { namespace: stage.namespace, name: anchorNameOf(name) };
  const data = { filler: 'x'.repeat(filler), status: null };
  await stage.cluster.patch(CONFIG_MAPS, target, { data });
  return run;
}

async function recorded(name: string, room: number) {
  const { anchorUid } = await aJobWithRoom(name, room);
  await stage.as(({ recordStatus }) => recordStatus({ anchorUid, status: aLongStatus(name), ...RECORD }));
  return onAnchor(name);
}

async function onAnchor(name: string) {
  const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(name));
  const status = anchor.data?.status;
  return {
    phase: anchor.metadata.annotations?.[ANNOTATIONS.phase],
    status: status === undefined ? undefined : (JSON.parse(status) as JobStatus),
  };
}

it('a timeline that is too long is recorded with its latest entries', async () => {
  const { phase, status } = await recorded('long', 500_000);
  expect(phase).toBe('Completed');
  expect(status).toMatchObject({ phase: 'Completed', attempt: 7 });
  expect(status?.timeline).toHaveLength(10);
  expect(status?.warnings.join()).toContain('this record was truncated');
});

it('an outcome is recorded where a timeline does not fit', async () => {
  const { status } = await recorded('longer', 5_000);
  expect(status).toMatchObject({ phase: 'Completed', restarts: 6, timeline: [] });
});

it('a phase is recorded where an outcome does not fit', async () => {
  const { phase, status } = await recorded('longest', 100);
  expect(phase).toBe('Completed');
  expect(status).toBeUndefined();
});

it('an orphan clean-up records the phase where an outcome does not fit', async () => {
  const { anchorUid } = await aJobWithRoom('orphan', 100);
  const anchorName = anchorNameOf('orphan');
  const request = { namespace: stage.namespace, anchorName, anchorUid, workflowId: 'none' };
  expect(await stage.as(({ cleanUpOrphan }) => cleanUpOrphan(request))).toEqual({ is: 'cleanedUp' });
  const { phase, status } = await onAnchor('orphan');
  expect(phase).toBe('Stopped');
  expect(status).toBeUndefined();
});

it('nothing is written on the anchor of a later job of the same name', async () => {
  const { anchorUid } = await aJobWithRoom('later', 500_000);
  const earlier = anchorUid.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  await stage.as(({ recordStatus }) =>
    recordStatus({ anchorUid: earlier, status: aLongStatus('later'), ...RECORD }),
  );
  expect((await onAnchor('later')).phase).not.toBe('Completed');
});

it('what a job shows replaces only what it says that it replaces', async () => {
  const { anchorUid } = await aJobWithRoom('shown', 500_000);
  const tools = { cluster: stage.cluster, clusterId: async () => undefined };
  const show = (phase: Phase, record: number, over: ShowStatusRequest['over'], uid = anchorUid) =>
    showStatus(tools, {
      ...{ anchorUid: uid, digestHash: 'hash', record, over },
      status: { ...aLongStatus('shown'), phase, timeline: [] },
    });
  await show('Starting', 2, { phase: 'Pending', record: 1 });
  await show('Running', 3, { phase: 'Starting', record: 2 });
  expect(await onAnchor('shown')).toMatchObject({ phase: 'Running', status: { phase: 'Running' } });
  const late = show('Starting', 2, { phase: 'Pending', record: 1 });
  await expect(late).rejects.toMatchObject({ status: 422 });
  const ofAnotherJob = show('Starting', 4, { phase: 'Running', record: 3 }, 'another');
  await expect(ofAnotherJob).rejects.toMatchObject({ status: 422 });
  expect(await onAnchor('shown')).toMatchObject({ phase: 'Running', status: { phase: 'Running' } });
});
