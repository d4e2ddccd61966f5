import { expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { claimName } from '../../../activities/anchors/claim-name.ts';
import { ApiError } from '../../../cluster/errors.ts';
import { formatAnchorRecord } from '../../../contracts/anchor.ts';
import type { ConfigMap } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../../contracts/labels.ts';
import type { ResourceIdentity } from '../../../contracts/types.ts';
import { renderAnchor } from '../../../resources/anchor.ts';
import { aManifest } from '../../frameworks/manifests.ts';
import { aVisibilityOf } from '../../temporal/visibility.ts';

const RUN = { workflowId: 'job/ml/resnet', firstRunId: 'run-1', installation: 'here' };
const JOB = aManifest().job();

/** An API server with one ConfigMap, the anchor of an earlier run. */
function clusterWith(phase: string, { edited = {}, resource }: Earlier) {
  const { metadata, ...anchor } = renderAnchor({ ...JOB, ...(resource ? { resource } : {}) }, RUN, 'none');
  const annotations = { ...metadata.annotations, ...formatAnchorRecord({ phase }), ...edited.annotations };
  const labels = { ...metadata.labels, ...edited.labels };
  let existing: ConfigMap | undefined = {
    ...anchor,
    metadata: { ...metadata, uid: 'old', labels, annotations },
  };
  return {
    now: () => Date.now(),
    create: async (_resource: unknown, wanted: ConfigMap) => {
      if (existing)
        throw new ApiError('POST', { status: 409, reason: 'AlreadyExists', message: 'it exists' });
      existing = { ...wanted, metadata: { ...wanted.metadata, uid: 'new' } };
      return existing;
    },
    find: async ({ kind }: { readonly kind: string }) => (kind === 'ConfigMap' ? existing : undefined),
    delete: async () => {
      existing = undefined;
    },
    list: async () => ({ items: [], metadata: {} }),
  };
}

interface Earlier {
  /** The workflow that claims the name; by default the one that the anchor names. */
  readonly workflowId?: string;
  /** Of the workflow that the anchor names. */
  readonly status?: string;
  /** What somebody has written on the anchor. */
  readonly edited?: Pick<ConfigMap['metadata'], 'labels' | 'annotations'>;
  /** The custom resource that both jobs are of. */
  readonly resource?: ResourceIdentity;
}

const claim = (
  phase: string,
  { workflowId = RUN.workflowId, status = 'COMPLETED', edited, resource }: Earlier = {},
) => {
  const described = {
    ...{ workflowId: RUN.workflowId, status: { name: status } },
    raw: { workflowExecutionInfo: { firstRunId: RUN.firstRunId } },
  };
  const getHandle = (_: string, runId = RUN.firstRunId) => ({
    describe: async () => {
      if (runId === RUN.firstRunId) return described;
      throw new WorkflowNotFoundError('there is no such run', RUN.workflowId, runId);
    },
  });
  const temporal = { workflow: { getHandle }, ...aVisibilityOf([]) };
  const tools = {
    cluster: clusterWith(phase, { edited, resource }),
    temporal,
    installation: 'here',
    connections: 1,
  };
  const context = { cancellationSignal: new AbortController().signal } as Context;
  return asyncLocalStorage.run(context, () =>
    claimName(
      tools as never as Parameters<typeof claimName>[0],
      { job: { ...JOB, ...(resource ? { resource } : {}) }, gang: 'none' },
      {
        ...RUN,
        workflowId,
        firstRunId: workflowId === RUN.workflowId ? RUN.firstRunId : 'run-2',
      },
    ),
  );
};

it.each(['Pending', 'Running', 'Suspended'])(
  'a run adopts the anchor of its own first run while that is %s',
  async (phase) => {
    expect(await claim(phase)).toEqual({ anchorUid: 'old' });
  },
);

it.each([
  ['another installation', { labels: { [LABELS.installation]: 'there' } }],
  ['another workflow', { annotations: { [ANNOTATIONS.workflowId]: 'job/ml/other' } }],
])('a run adopts its anchor after another user has changed its %s', async (_, edited) => {
  expect(await claim('Pending', { edited })).toEqual({ anchorUid: 'old' });
});

it.each(['Completed', 'Failed', 'Stopped'])(
  'a run that follows a job that is %s takes over the name, though it has the same first run',
  async (phase) => {
    expect(await claim(phase)).toEqual({ anchorUid: 'new' });
  },
);

const OTHER = 'nightly/resnet';

it('another workflow takes over the name of an ended job', async () => {
  expect(await claim('Completed', { workflowId: OTHER })).toEqual({ anchorUid: 'new' });
  expect(await claim('Running', { workflowId: OTHER, status: 'TERMINATED' })).toEqual({ anchorUid: 'new' });
});

it('another workflow waits for a running one whose anchor says that the job has ended', async () => {
  const answer = await claim('Completed', { workflowId: OTHER, status: 'RUNNING' });
  expect(answer).toEqual({ waitsFor: [] });
});

it('another workflow is refused while the job runs', async () => {
  await expect(claim('Running', { workflowId: OTHER, status: 'RUNNING' })).rejects.toThrow(
    'belongs to another live job, workflow job/ml/resnet',
  );
});

it.each(['Completed', 'Stopped', 'Running'])(
  'a run of a custom resource whose job is %s on its anchor is refused, as that has had its job',
  async (phase) => {
    const resource = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1', generation: 1 };
    const again = claim(phase, { workflowId: OTHER, status: 'TERMINATED', resource });
    await expect(again).rejects.toMatchObject({ reason: 'ResourceEnded' });
  },
);

it('a run of a custom resource takes the place of one that only its anchor knows', async () => {
  const resource = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1', generation: 1 };
  const edited = { annotations: { [ANNOTATIONS.firstRunId]: 'another' } };
  expect(await claim('Running', { workflowId: OTHER, status: 'TERMINATED', resource, edited })).toEqual({
    anchorUid: 'new',
  });
});
