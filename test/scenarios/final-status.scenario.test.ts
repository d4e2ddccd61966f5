import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiError } from '../../cluster/errors.ts';
import { CONFIG_MAPS, type Resource } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { untilStatus } from './attempts.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** How a job ended is on its anchor in the end, whatever came in between; and what it keeps is kept. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

async function running(name: string) {
  const { namespace } = stage;
  const annotations = { [ANNOTATIONS.gang]: 'none' };
  const manifest = simulatedJob({ name, namespace, annotations, runPolicy: { cleanPodPolicy: 'None' } });
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

async function recordOf(job: string) {
  const { metadata, data } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(job));
  const { phase, cause } = JSON.parse(data?.status ?? '{}') as Partial<JobStatus>;
  return { annotated: metadata.annotations?.[ANNOTATIONS.phase], phase, cause };
}

const untilRecorded = (job: string, phase: string) =>
  eventually(`${phase} is on the anchor of ${job}`, async () => {
    const record = await recordOf(job);
    if (record.annotated !== phase) throw new Error(JSON.stringify(record));
    return record;
  });

const POLICIES: Resource = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};
const BINDINGS: Resource = {
  ...POLICIES,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
};

/** Nobody may change ConfigMaps of the namespace: as a right that is taken away, 403. */
async function forbidRecords(): Promise<() => Promise<unknown>> {
  const { cluster, namespace: name } = stage;
  const common = { apiVersion: POLICIES.apiVersion, metadata: { name } };
  await cluster.create(POLICIES, {
    ...common,
    kind: POLICIES.kind,
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] },
        ],
      },
      validations: [{ expression: 'false', reason: 'Forbidden', message: 'not now' }],
    },
  });
  await cluster.create(BINDINGS, {
    ...common,
    kind: BINDINGS.kind,
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  return async () => {
    await cluster.delete(BINDINGS, undefined, name);
    await cluster.delete(POLICIES, undefined, name);
  };
}

/** Policies take effect when the API server has read them. */
const untilForbidden = (job: string) =>
  eventually('ConfigMaps cannot be changed', async () => {
    try {
      const target = { namespace: stage.namespace, name: anchorNameOf(job) };
      await stage.cluster.patch(CONFIG_MAPS, target, {
        metadata: { annotations: { probe: String(Date.now()) } },
      });
      return false;
    } catch (error) {
      return error instanceof ApiError && error.status === 403;
    }
  });

it('a refused record is retried until it is accepted, and the job does not close before', async () => {
  const job = await running('refused');
  const allow = await forbidRecords();
  await untilForbidden('refused');
  await stage.endPod('refused-master-0', { exitCode: 0 });
  await untilStatus(job, 'it is completed', ({ state }) => state === 'Completed');
  await allow();
  expect((await job.wait()).phase).toBe('Completed');
  expect(await untilRecorded('refused', 'Completed')).toMatchObject({ phase: 'Completed' });
  expect(await stage.pods('refused')).toHaveLength(3);
});

it('a job whose record was lost is not cleaned up, because its workflow knows how it ended', async () => {
  const job = await running('lost');
  await stage.endPod('lost-master-0', { exitCode: 0 });
  await job.wait();
  const target = { namespace: stage.namespace, name: anchorNameOf('lost') };
  const stale = { phase: 'Running', state: 'Running' };
  await stage.cluster.patch(CONFIG_MAPS, target, {
    metadata: { annotations: { [ANNOTATIONS.phase]: 'Running' } },
    data: { status: JSON.stringify(stale) },
  });
  expect(await untilRecorded('lost', 'Completed')).toMatchObject({ phase: 'Completed', cause: undefined });
  expect(await stage.pods('lost')).toHaveLength(3);
});

it('a cancelled job that lost its record is recorded as cancelled', async () => {
  const job = await running('cancelled');
  await stage.temporal.workflow.getHandle(job.workflowId).cancel();
  await job.wait();
  const target = { namespace: stage.namespace, name: anchorNameOf('cancelled') };
  await stage.cluster.patch(CONFIG_MAPS, target, {
    metadata: { annotations: { [ANNOTATIONS.phase]: 'Running' } },
  });
  expect(await untilRecorded('cancelled', 'Stopped')).toMatchObject({ cause: { reason: 'Cancelled' } });
});
