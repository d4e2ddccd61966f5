import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NODES, PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type Manifest, onSimulatedNodes, simulatedJob } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';

/** What stays of a job at its end, and whose success is the job's. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

async function running(manifest: Manifest): Promise<JobHandle> {
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

const endAll = async (pods: readonly string[], exitCode: number) => {
  for (const pod of pods) await stage.endPod(pod, { exitCode });
};

/** Kubernetes keeps its own kind of group for as long as a pod of it runs. */
const WITHOUT_GROUP = { 'signalbox.dev/gang': 'none' };

/** A pod and the Service of the same name. */
const withServices = (names: readonly string[]) =>
  names.flatMap((name) => [`Pod/${name}`, `Service/${name}`]);

interface Ending {
  readonly policy: string;
  /** The pod that ends, and how: the end of the job. */
  readonly pod: string;
  readonly exitCode: number;
  readonly phase: string;
  readonly keeps: string;
  /** The pods of that, each with its Service. */
  readonly left: readonly string[];
}

describe('cleanPodPolicy', () => {
  const ALL = ['master-0', 'worker-0', 'worker-1'];

  it.concurrent.each<Ending>([
    { policy: 'All', pod: 'master-0', exitCode: 0, phase: 'Completed', keeps: 'nothing', left: [] },
    {
      policy: 'Running',
      pod: 'master-0',
      exitCode: 0,
      phase: 'Completed',
      keeps: 'what has ended',
      left: ['master-0'],
    },
    { policy: 'None', pod: 'master-0', exitCode: 0, phase: 'Completed', keeps: 'all pods', left: ALL },
    { policy: 'All', pod: 'worker-1', exitCode: 1, phase: 'Failed', keeps: 'nothing', left: [] },
    {
      policy: 'Running',
      pod: 'worker-1',
      exitCode: 1,
      phase: 'Failed',
      keeps: 'what has ended',
      left: ['worker-1'],
    },
    { policy: 'None', pod: 'worker-1', exitCode: 1, phase: 'Failed', keeps: 'all pods', left: ALL },
  ])('$policy of a job that is $phase keeps $keeps, with its Services', async (ending) => {
    const { policy, pod, exitCode, phase, left } = ending;
    const name = `clean-${policy}-${phase}`.toLowerCase();
    const runPolicy = { cleanPodPolicy: policy };
    const worker = { restartPolicy: 'Never' };
    const { namespace } = stage;
    const annotations = WITHOUT_GROUP;
    const job = await running(simulatedJob({ name, namespace, runPolicy, worker, annotations }));
    await stage.endPod(`${name}-${pod}`, { exitCode });
    expect((await job.wait()).phase).toBe(phase);
    const kept = withServices(left.map((one) => `${name}-${one}`));
    await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`, ...kept]);
    expect((await job.remainingPods())?.pods).toBe(left === ALL ? ALL.length - 1 : undefined);
  });

  it.concurrent.each([
    { policy: 'Always', phase: 'Completed', does: 'removes' },
    { policy: 'Always', phase: 'Failed', does: 'removes' },
    { policy: 'Never', phase: 'Completed', does: 'keeps' },
    { policy: 'Never', phase: 'Failed', does: 'keeps' },
    { policy: 'OnCompletion', phase: 'Completed', does: 'removes' },
    { policy: 'OnCompletion', phase: 'Failed', does: 'keeps' },
    { policy: 'OnFailure', phase: 'Completed', does: 'keeps' },
    { policy: 'OnFailure', phase: 'Failed', does: 'removes' },
  ])(
    '$policy $does the pods of a PaddleJob that is $phase, with their Services',
    async ({ policy, phase, does }) => {
      const name = `paddle-${policy}-${phase}`.toLowerCase();
      const pods = [`${name}-ps-0`, `${name}-worker-0`, `${name}-worker-1`];
      const job = await running(paddleJob(name, policy));
      if (phase === 'Completed') await endAll(pods, 0);
      else await stage.endPod(`${name}-ps-0`, { exitCode: 1 });
      expect((await job.wait()).phase).toBe(phase);
      const shared = [`ConfigMap/${name}`, `ConfigMap/${name}.signalbox`];
      await untilLeft(stage, name, [...shared, ...withServices(does === 'keeps' ? pods : [])]);
    },
  );
});

/** With a server, whose first failure ends it. */
function paddleJob(name: string, cleanPodPolicy: string): Manifest {
  const containers = [{ name: 'paddle', image: 'train:1', command: ['train'] }];
  const role = (replicas: number) => ({
    replicas,
    template: { spec: { restartPolicy: 'Never', containers } },
  });
  return onSimulatedNodes({
    apiVersion: 'batch.paddlepaddle.org/v1',
    kind: 'PaddleJob',
    metadata: { name, namespace: stage.namespace, annotations: WITHOUT_GROUP },
    spec: { intranet: 'Service', cleanPodPolicy, ps: role(1), worker: role(2) },
  });
}

describe('a job whose managedBy names another controller', () => {
  const managedBy = 'kueue.x-k8s.io/multikueue';

  it.concurrent('is refused with the name of that controller, and creates nothing', async () => {
    const { namespace } = stage;
    const submitted = stage.client.submit(
      simulatedJob({ name: 'foreign', namespace, runPolicy: { managedBy } }),
    );
    await expect(submitted).rejects.toThrow(/another controller manages the job, got "kueue/);
    await untilLeft(stage, 'foreign', []);
  });
});

interface Success {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** They end first, and the job runs on. */
  readonly before: readonly string[];
  readonly decides: string;
}

const TF_WORKERS = { tfReplicaSpecs: { Worker: tfRole(3) } };
const TF_CHIEF = { tfReplicaSpecs: { Chief: tfRole(1), Worker: tfRole(2), PS: tfRole(1) } };

function tfRole(replicas: number) {
  const containers = [{ name: 'tensorflow', image: 'train:1', command: ['train'] }];
  return { replicas, restartPolicy: 'Never', template: { spec: { containers } } };
}

describe('the success of a TFJob is that of', () => {
  it.concurrent.each<Success>([
    { name: 'its first worker', spec: TF_WORKERS, before: ['worker-2', 'worker-1'], decides: 'worker-0' },
    {
      name: 'all workers, with AllWorkers',
      spec: { ...TF_WORKERS, successPolicy: 'AllWorkers' },
      before: ['worker-0', 'worker-2'],
      decides: 'worker-1',
    },
    { name: 'its chief', spec: TF_CHIEF, before: ['worker-0', 'worker-1', 'ps-0'], decides: 'chief-0' },
  ])('$name', async ({ name: title, spec, before, decides }) => {
    const name = title.toLowerCase().replace(/\W+/g, '-');
    const { namespace } = stage;
    const tfJob = { apiVersion: 'kubeflow.org/v1', kind: 'TFJob', metadata: { name, namespace }, spec };
    const job = await running(onSimulatedNodes(tfJob));
    await endAll(
      before.map((pod) => `${name}-${pod}`),
      0,
    );
    const { phase } = await untilSucceeded(job, before.length);
    expect(phase).toBe('Running');
    await stage.endPod(`${name}-${decides}`, { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
  });
});

const untilSucceeded = (job: JobHandle, replicas: number) =>
  eventually(`${replicas} replicas have succeeded`, async () => {
    const status = await statusOf(job);
    const counts = Object.values(status.replicaStatuses).map(({ succeeded = 0 }) => succeeded);
    if (counts.reduce((sum, n) => sum + n, 0) < replicas) throw new Error(JSON.stringify(status));
    return status;
  });

describe('a worker that has finished', () => {
  it.concurrent('is not recreated when its node and its pod are deleted, and counts at the end', async () => {
    const pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1] });
    const job = await running(onePerNode('remembered', pool));
    const { spec } = await stage.pod('remembered-worker-1');
    await stage.endPod('remembered-worker-1', { exitCode: 0 });
    await untilSucceeded(job, 1);
    await stage.cluster.delete(NODES, undefined, spec.nodeName!);
    await stage.cluster.delete(PODS, stage.namespace, 'remembered-worker-1');

    // Whoever makes pods again that are missing has had the occasion when this one is back.
    const failed = await stage.pod('remembered-worker-2');
    await stage.endPod('remembered-worker-2', { exitCode: 1 });
    await eventually('the failed worker runs again', async () => {
      const { metadata, status } = await stage.pod('remembered-worker-2');
      return metadata.uid !== failed.metadata.uid && status?.phase === 'Running';
    });
    await untilPhase(job, 'Running');
    const there = (await stage.pods('remembered')).map(({ metadata }) => metadata.name).sort();
    expect(there).toEqual(['remembered-worker-0', 'remembered-worker-2']);

    await endAll(there, 0);
    const { phase, replicaStatuses } = await job.wait();
    expect(phase).toBe('Completed');
    expect(replicaStatuses).toMatchObject({ Worker: { succeeded: 3 } });
    await untilLeft(stage, 'remembered', ['ConfigMap/remembered.signalbox']);
    await pool.remove();
  });
});

/** Three workers, each on a node of its own. */
function onePerNode(name: string, { nodeSelector, resource }: NodePool): Manifest {
  const resources = { limits: { [resource]: '1' } };
  const containers = [{ name: 'pytorch', image: 'train:1', command: ['train'], resources }];
  const template = { spec: { nodeSelector, terminationGracePeriodSeconds: 1, containers } };
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name, namespace: stage.namespace },
    spec: {
      runPolicy: { cleanPodPolicy: 'All' },
      pytorchReplicaSpecs: { Worker: { replicas: 3, restartPolicy: 'OnFailure', template } },
    },
  };
}
