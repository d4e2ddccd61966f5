import { expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { removeOrphanedObjects } from '../../activities/clean-up-orphan.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { Semaphore } from '../../activities/support/semaphore.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { ConfigMap, KubeObject } from '../../contracts/kubernetes.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { anMpiJob } from '../frameworks/mpi-jobs.ts';
import { aVisibilityOf } from '../temporal/visibility.ts';
import { anAnchor, aPod } from '../watcher/fixtures.ts';

const CHOICE = { job: 'resnet', namespace: 'ml', firstRunId: 'no-uuid' };
const ANCHOR = anAnchor(CHOICE);

interface Choice {
  readonly isKnown?: boolean;
  readonly isImmutable?: boolean;
  readonly running?: Running;
  /** The installation that the anchor names. */
  readonly installation?: string;
  /** The custom resource that owns the anchor. */
  readonly resource?: KubeObject;
  /** The workflow that the anchor names is closed, and has this anchor by its memo. */
  readonly memo?: { readonly anchorUid: string };
  /** Of the request, instead of that of the anchor that is there. */
  readonly anchorUid?: string;
  /** What a list of pods finds. */
  readonly pods?: readonly KubeObject[];
}

type Running = Parameters<typeof aVisibilityOf>[0];
const NONE: Running = [];

/** Removes the objects of a job whose workflow Temporal does not know. Returns the result, and what was written to the anchor. */
async function cleanUpOrphan(
  data: ConfigMap['data'],
  {
    isImmutable = false,
    running = NONE,
    installation = 'ours',
    memo,
    resource,
    isKnown = memo !== undefined,
    anchorUid = ANCHOR.metadata.uid ?? '',
    pods = [],
  }: Choice = {},
) {
  const patches: { data?: { status?: string }; metadata?: { annotations?: object } }[] = [];
  const deleted: string[] = [];
  const { apiVersion, kind, metadata: { name: owner = '', uid = '' } = {} } = resource ?? {};
  const ownerReferences = resource ? [{ apiVersion, kind, name: owner, uid, controller: true }] : [];
  const anchor = anAnchor({ ...CHOICE, installation });
  const cluster = {
    now: () => Date.now(),
    find: async (asked: { kind: string }, _: unknown, name: string) => {
      if (asked.kind === kind) return resource;
      if (name === anchor.metadata.name)
        return { ...anchor, metadata: { ...anchor.metadata, ownerReferences }, data };
      return resource && { metadata: { name, uid: name, ownerReferences: [{ uid }] } };
    },
    list: async ({ kind: asked }: { kind: string }) => ({ metadata: {}, items: asked === 'Pod' ? pods : [] }),
    patch: async (_: unknown, __: unknown, patch: (typeof patches)[number]) => {
      if (isImmutable && patch.data?.status !== undefined) throw IMMUTABLE;
      patches.push(patch);
    },
    delete: async (_: unknown, __: unknown, name: string) => void deleted.push(name),
  };
  const describe = async () => {
    if (!isKnown) throw new WorkflowNotFoundError('gone', 'job', undefined);
    const raw = { workflowExecutionInfo: { firstRunId: 'another' } };
    return { status: { name: 'TERMINATED' }, runId: 'another', raw, memo };
  };
  const result = async () => {
    throw new Error('Temporal was asked for a run whose id is none');
  };
  const temporal = { workflow: { getHandle: () => ({ describe, result }) }, ...aVisibilityOf(running) };
  const tools = { cluster, temporal, installation: 'ours', connections: 4, bulk: new Semaphore(4) };
  const { namespace = '', name: anchorName } = ANCHOR.metadata;
  const request = { namespace, anchorName, anchorUid, workflowId: 'job/ml/resnet' };
  const context = { info: { attempt: 1 }, cancellationSignal: new AbortController().signal };
  const cleanedUp = await asyncLocalStorage.run(context as unknown as Context, () =>
    removeOrphanedObjects(tools as unknown as Dependencies, request),
  );
  const written = patches.map((patch) => patch.data?.status).findLast((status) => status !== undefined);
  const annotations = patches.at(-1)?.metadata?.annotations;
  return { cleanedUp, deleted, annotations, status: written === undefined ? undefined : JSON.parse(written) };
}

const IMMUTABLE = new ApiError('PATCH anchor', {
  ...{ status: 422, reason: 'Invalid' },
  message: 'field is immutable when `immutable` is set',
});

const pytorch = JSON.stringify(aManifest().job());

it.each([
  ['damaged', '{"phase":"Running","attem'],
  ['no status', '[]'],
  ['missing', undefined],
])('records the end of a job whose record is %s', async (_, status) => {
  const { cleanedUp, status: written } = await cleanUpOrphan({
    job: pytorch,
    ...(status === undefined ? {} : { status }),
  });
  expect(cleanedUp).toEqual({ is: 'cleanedUp' });
  expect(written).toMatchObject({ phase: 'Stopped', cause: { reason: 'WorkflowTerminated' } });
});

it('deletes one by one what the custom resource of a job owns, too, if the anchor has lost the job', async () => {
  const named = (name: string) =>
    anMpiJob()
      .with('metadata', { name, namespace: 'ml', uid: 'r', generation: 1 })
      .build() as unknown as KubeObject;
  const { deleted, cleanedUp, status } = await cleanUpOrphan({}, { resource: named('resnet') });
  expect(cleanedUp).toEqual({ is: 'cleanedUp' });
  expect(deleted).not.toContain(ANCHOR.metadata.name);
  expect(deleted).toEqual(expect.arrayContaining(['resnet-config', 'resnet-launcher']));
  expect(status).toMatchObject({ phase: 'Stopped', cause: { reason: 'WorkflowTerminated' } });
  const ofAnother = await cleanUpOrphan({}, { resource: named('another') });
  expect(ofAnother.deleted).toEqual([ANCHOR.metadata.name]);
});

it('deletes what an anchor has left that is gone, and nothing that has an owner or belongs to others', async () => {
  const pods = [
    aPod({ job: 'resnet', owner: 'gone', hasLostOwner: true }),
    aPod({ job: 'resnet', owner: 'gone', index: 1 }),
    aPod({ job: 'resnet', owner: 'gone', name: 'resnet-worker-0-debug', hasLostOwner: true }),
  ];
  const { cleanedUp, deleted } = await cleanUpOrphan({}, { anchorUid: 'gone', pods });
  expect([cleanedUp, deleted]).toEqual([{ is: 'gone' }, ['resnet-worker-0']]);
});

it('keeps a running job, although its anchor names another workflow', async () => {
  const running = [['by-hand', { anchorUid: 'anchor-1' }]] as const;
  const { cleanedUp, deleted, status } = await cleanUpOrphan({ job: pytorch }, { running });
  expect(cleanedUp).toEqual({ is: 'alive' });
  expect([deleted, status]).toEqual([[], undefined]);
});

it.each([
  ['removes what is left of a job whose anchor', 'cleanedUp', { anchorUid: 'anchor-1' }],
  [
    'leaves a job alone whose workflow does not know its anchor, if that',
    'foreign',
    { anchorUid: 'another' },
  ],
])('%s names another installation', async (_, is, memo) => {
  const { cleanedUp } = await cleanUpOrphan({ job: pytorch }, { installation: 'theirs', memo });
  expect(cleanedUp).toEqual({ is });
});

it('keeps the valid fields of a record', async () => {
  const status = JSON.stringify({ name: 'resnet', restarts: 2, evidence: 'none', timeline: 7 });
  const { status: written } = await cleanUpOrphan({ job: pytorch, status });
  expect(written).toMatchObject({ name: 'resnet', restarts: 2, phase: 'Stopped' });
  expect(written).not.toHaveProperty('timeline');
});

it('deletes an anchor whose job cannot be rendered, with all that it owns, and does not retry for ever', async () => {
  const job = anMpiJob().with('metadata.name', 'resnet').job();
  const { cleanedUp, deleted } = await cleanUpOrphan({ job: JSON.stringify({ ...job, roles: [] }) });
  expect(cleanedUp).toEqual({ is: 'cleanedUp' });
  expect(deleted).toEqual(['resnet.signalbox']);
});

it('does not ask Temporal for a run with an invalid id', async () => {
  const { cleanedUp } = await cleanUpOrphan({ job: pytorch }, { isKnown: true });
  expect(cleanedUp).toEqual({ is: 'cleanedUp' });
});

it('records at least the phase on an anchor that was made immutable', async () => {
  const { cleanedUp, annotations } = await cleanUpOrphan({ job: pytorch }, { isImmutable: true });
  expect(cleanedUp).toEqual({ is: 'cleanedUp' });
  expect(annotations).toMatchObject({
    'signalbox.dev/phase': 'Stopped',
    'signalbox.dev/clean-up': 'Everything',
  });
});
