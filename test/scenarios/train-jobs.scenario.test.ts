import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { definitionsBesideJobs } from '../../client/manifests/offline/definitions.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import {
  CONFIG_MAPS,
  CUSTOM_RESOURCE_DEFINITIONS,
  PODS,
  SECRETS,
  SERVICES,
} from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { attemptsOf, renewed, untilAttempt, untilRestarted } from './attempts.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** TrainJobs where there is no Kubeflow Trainer; of it only the definition of a runtime, in the cluster. */

const GROUP = 'trainer.kubeflow.org';
const ANCESTOR = `${GROUP}/trainjob-ancestor-step`;

const RUNTIMES: Resource<KubeObject> = {
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'TrainingRuntime',
  plural: 'trainingruntimes',
  namespaced: true,
};

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  if (!(await stage.cluster.serves(RUNTIMES)))
    await stage.cluster.create(CUSTOM_RESOURCE_DEFINITIONS, definition());
  await eventually('runtimes are served', () => stage.cluster.serves(RUNTIMES));
});

afterAll(() => stage.close());

const definition = (): KubeObject =>
  definitionsBesideJobs().find(({ spec }) => spec.names.kind === RUNTIMES.kind) as unknown as KubeObject;

type Fields = Readonly<Record<string, unknown>>;

interface Step {
  readonly ancestor?: string;
  readonly container?: string;
  readonly job?: Fields;
  readonly pod?: Fields;
  readonly dependsOn?: readonly Fields[];
}

const step = (name: string, { ancestor, container = 'node', job, pod, dependsOn }: Step = {}) => ({
  name,
  ...(dependsOn ? { dependsOn } : {}),
  template: {
    ...(ancestor ? { metadata: { labels: { [ANCESTOR]: ancestor } } } : {}),
    spec: {
      ...job,
      template: {
        spec: {
          nodeSelector: { 'signalbox.dev/node': 'simulated' },
          terminationGracePeriodSeconds: 1,
          ...pod,
          containers: [{ name: container, image: 'any' }],
        },
      },
    },
  },
});

const runtime = (
  name: string,
  replicatedJobs: readonly unknown[],
  set: Fields = {},
  mlPolicy: Fields = { torch: {} },
) =>
  ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'TrainingRuntime',
    metadata: { name, namespace: stage.namespace },
    spec: { mlPolicy, template: { spec: { ...set, replicatedJobs } } },
  }) as KubeObject;

const trainJob = (name: string, of: string, spec: Fields = {}, references: readonly KubeObject[] = []) => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'TrainJob',
  metadata: { name, namespace: stage.namespace },
  spec: { runtimeRef: { kind: 'TrainingRuntime', name: of }, ...spec },
  ...(references.length > 0 ? { references } : {}),
});

const strict = { job: { backoffLimit: 0 }, pod: { restartPolicy: 'Never' } };

async function running(manifest: object): Promise<JobHandle> {
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

const saidOf = async (job: JobHandle) => (await job.history()).map(({ message }) => message);

const podNames = async (job: string) => (await stage.pods(job)).map(({ metadata }) => metadata.name).sort();

const untilPods = (job: string, wanted: readonly string[]) =>
  eventually(`the pods of ${job} are ${wanted.join(', ')}`, async () => {
    expect(await podNames(job)).toEqual(wanted);
    return true;
  });

describe('a runtime of the cluster', () => {
  it.concurrent('is part of the job: an edit does not reach it, and its history has the generation', async () => {
    const own = runtime('edited', [step('node', { ancestor: 'trainer', ...strict })], {
      failurePolicy: { maxRestarts: 1 },
    });
    await stage.cluster.create(RUNTIMES, own);
    const job = await running(trainJob('kept', 'edited', { trainer: { numNodes: 2 } }));
    expect(await saidOf(job)).toContain(
      'the manifest was accepted, with TrainingRuntime edited, generation 1',
    );
    const place = { namespace: stage.namespace, name: 'edited' };
    const changed = [step('node', { ancestor: 'trainer', ...strict }), step('other')];
    await stage.cluster.patch(RUNTIMES, place, {
      spec: { template: { spec: { failurePolicy: null, replicatedJobs: changed } } },
    });
    const before = await stage.pods('kept');
    await stage.endPod('kept-node-1', { exitCode: 1 });
    await untilAttempt(job, 2);
    expect(renewed(before, await stage.pods('kept'))).toEqual(['kept-node-0', 'kept-node-1']);
    expect(attemptsOf(await stage.pods('kept'))).toEqual(['2, env 2']);
    // The same file is the same job, though the runtime is another now.
    const again = await stage.client.submit(trainJob('kept', 'edited', { trainer: { numNodes: 2 } }));
    expect([again.submission, again.runId]).toEqual(['already-running', job.runId]);
    await stage.endPod('kept-node-0', { exitCode: 3 });
    const { phase, cause } = await job.wait();
    expect([phase, cause?.rule, cause?.exitCode]).toEqual([
      'Failed',
      'spec.runtime.template.spec.failurePolicy.maxRestarts: 1',
      3,
    ]);
  });

  it.concurrent('is read by the worker, if a job is started with Temporal’s own tools', async () => {
    await stage.cluster.create(RUNTIMES, runtime('by-hand', [step('node', { ancestor: 'trainer' })]));
    const workflowId = `job/${stage.namespace}/hand`;
    const manifest = trainJob('hand', 'by-hand');
    await stage.temporal.workflow.start('trainingJob', {
      ...{ workflowId, taskQueue: 'signalbox', args: [manifest] },
    });
    const job = stage.client.job({ workflowId });
    await untilPhase(job, 'Running');
    expect(await saidOf(job)).toContain(
      'the manifest was accepted, with TrainingRuntime by-hand, generation 1',
    );
    await stage.endPod('hand-node-0', { exitCode: 0 });
    expect(await job.wait()).toMatchObject({ phase: 'Completed' });
  });

  it.concurrent('that is missing is refused before anything is created', async () => {
    const submitted = stage.client.submit(trainJob('nowhere', 'absent'));
    await expect(submitted).rejects.toThrow(
      /spec\.runtimeRef\.name: expected a TrainingRuntime of the namespace/,
    );
    expect(await stage.cluster.find(CONFIG_MAPS, stage.namespace, 'nowhere.signalbox')).toBeUndefined();
  });
});

it.concurrent('initializers end before the nodes are made, and the job completes with these', async () => {
  const done = (name: string) => ({ name: `${name}-initializer`, status: 'Complete' });
  const loads = (name: string) =>
    step(`${name}-initializer`, { ancestor: `${name}-initializer`, container: `${name}-initializer` });
  const own = runtime('tuned', [
    loads('dataset'),
    loads('model'),
    step('node', { ancestor: 'trainer', dependsOn: [done('dataset'), done('model')] }),
  ]);
  const job = await stage.client.submit(trainJob('chat', 'tuned', {}, [own]));
  const loading = ['chat-dataset-initializer-0', 'chat-model-initializer-0'];
  await untilPods('chat', loading);
  await stage.endPod(loading[0]!, { exitCode: 0 });
  await eventually(
    'the first has ended',
    async () => (await stage.pod(loading[0]!)).status?.phase === 'Succeeded',
  );
  expect(await podNames('chat')).toEqual(loading);
  await stage.endPod(loading[1]!, { exitCode: 0 });
  await untilPods('chat', [...loading, 'chat-node-0']);
  await untilPhase(job, 'Running');
  await stage.endPod('chat-node-0', { exitCode: 0 });
  expect(await job.wait()).toMatchObject({ phase: 'Completed' });
  expect(await podNames('chat')).toEqual([...loading, 'chat-node-0']);
});

it.concurrent('under MPI the launcher comes when the nodes are ready, with keys and hosts', async () => {
  const own = runtime(
    'mpi',
    [step('node'), step('launcher', { ancestor: 'trainer', dependsOn: [{ name: 'node', status: 'Ready' }] })],
    { successPolicy: { operator: 'All', targetReplicatedJobs: ['launcher'] } },
    { mpi: { runLauncherAsNode: true } },
  );
  const job = await running(trainJob('t5', 'mpi', { trainer: { numNodes: 3 } }, [own]));
  expect(await podNames('t5')).toEqual(['t5-launcher-0', 't5-node-0', 't5-node-1']);
  const { data } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 't5-mpi-hostfile');
  expect(data).toEqual({
    hostfile: 't5-node-0-0.t5 slots=1\nt5-node-0-1.t5 slots=1\nt5-launcher-0-0.t5 slots=1\n',
  });
  const secret = await stage.cluster.get(SECRETS, stage.namespace, 't5-mpi-ssh-auth');
  expect(Object.keys((secret as KubeObject & { data: Fields }).data).sort()).toEqual([
    'ssh-privatekey',
    'ssh-publickey',
  ]);
  await stage.endPod('t5-launcher-0', { exitCode: 0 });
  expect(await job.wait()).toMatchObject({ phase: 'Completed' });
  await untilPods('t5', ['t5-launcher-0']);
});

it.concurrent('a failed pod is made again as often as backoffLimit says', async () => {
  const own = runtime('patient', [
    step('node', { ancestor: 'trainer', job: { backoffLimit: 1 }, pod: { restartPolicy: 'Never' } }),
  ]);
  const job = await running(trainJob('patient', 'patient', { trainer: { numNodes: 2 } }, [own]));
  const before = await stage.pods('patient');
  await stage.endPod('patient-node-1', { exitCode: 1 });
  await untilRestarted(job, 1);
  expect(renewed(before, await stage.pods('patient'))).toEqual(['patient-node-1']);
  await stage.endPod('patient-node-1', { exitCode: 1 });
  expect((await job.wait()).cause?.rule).toBe('spec.runtime.template.spec.failurePolicy: none');
});

it.concurrent('a suspended job keeps its Service, and begins a new attempt with the first jobs', async () => {
  const shipped = {
    ...trainJob('paused', 'any'),
    spec: { runtimeRef: { name: 'torch-distributed' } },
  };
  const job = await running(onShipped(shipped));
  await job.suspend();
  await untilPods('paused', []);
  await untilPhase(job, 'Suspended');
  expect(await stage.cluster.find(SERVICES, stage.namespace, 'paused')).toBeDefined();
  await job.resume();
  await untilAttempt(job, 2);
  await stage.cluster.delete(PODS, stage.namespace, 'paused-node-0');
  await eventually('it comes back at no cost', async () => {
    const { phase, restarts } = await statusOf(job);
    return phase === 'Running' && restarts === 0 && (await podNames('paused')).length === 1;
  });
  await job.stop();
});

/** A job of a runtime that comes with signalbox, whose pods run on simulated nodes. */
function onShipped(manifest: { readonly spec: Fields } & Fields) {
  const pod = { nodeSelector: { 'signalbox.dev/node': 'simulated' }, terminationGracePeriodSeconds: 1 };
  const job = { name: 'node', template: { spec: { template: { spec: pod } } } };
  const trainingRuntimeSpec = { template: { spec: { replicatedJobs: [job] } } };
  return {
    ...manifest,
    spec: { ...manifest.spec, runtimePatches: [{ manager: 'example.com/test', trainingRuntimeSpec }] },
  };
}
