import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import {
  CONFIG_MAPS,
  NETWORK_POLICIES,
  PODS,
  SECRETS,
  SERVICES,
  VOLUME_CLAIMS,
  VOLUMES,
} from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { attemptsOf, renewed, untilAttempt, untilRestarted } from './attempts.ts';
import { onSimulatedNodes } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Jobs of Volcano, beside its scheduler and without its controller of jobs. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

type Fields = Readonly<Record<string, unknown>>;

const task = (name: string, replicas: number, others: Fields = {}) => ({
  name,
  replicas,
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'any' }] } },
  ...others,
});

const volcanoJob = (name: string, tasks: readonly Fields[], spec: Fields = {}) => ({
  apiVersion: 'batch.volcano.sh/v1alpha1',
  kind: 'Job',
  metadata: { name, namespace: stage.namespace },
  spec: { schedulerName: 'volcano', ...spec, tasks },
});

async function running(name: string, tasks: readonly Fields[], spec?: Fields): Promise<JobHandle> {
  const job = await stage.client.submit(onSimulatedNodes(volcanoJob(name, tasks, spec)));
  await untilPhase(job, 'Running');
  return job;
}

const on = (trigger: string | number, action: string) =>
  typeof trigger === 'number' ? { exitCode: trigger, action } : { event: trigger, action };

describe('after a pod has failed', () => {
  it.concurrent.each([
    { action: 'RestartPod', anew: ['restartpod-worker-1'], attempt: 1 },
    { action: 'RestartTask', anew: ['restarttask-worker-0', 'restarttask-worker-1'], attempt: 1 },
    {
      ...{ action: 'RestartPartition', attempt: 1 },
      anew: ['restartpartition-worker-0', 'restartpartition-worker-1'],
    },
    {
      ...{ action: 'RestartJob', attempt: 2 },
      anew: ['restartjob-ps-0', 'restartjob-worker-0', 'restartjob-worker-1'],
    },
  ])('$action makes $anew anew', async ({ action, anew, attempt }) => {
    const name = action.toLowerCase();
    const partitionPolicy = { totalPartitions: 2, partitionSize: 2 };
    const parted = action === 'RestartPartition' ? { partitionPolicy } : {};
    const worker = task('worker', 'partitionPolicy' in parted ? 4 : 2, {
      policies: [on('PodFailed', action)],
      ...parted,
    });
    const job = await running(name, [task('ps', 1), worker], { maxRetry: 2 });
    const before = await stage.pods(name);
    await stage.endPod(`${name}-worker-1`, { exitCode: 1 });
    const { attempt: now } = await untilRestarted(job, 1);
    const after = await stage.pods(name);
    expect(renewed(before, after)).toEqual(anew);
    expect(now).toBe(attempt);
    // maxRetry 2 is one restart.
    await stage.endPod(`${name}-worker-1`, { exitCode: 7 });
    const { cause } = await job.wait();
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded', rule: 'spec.maxRetry: 2', exitCode: 7 });
  });

  it.concurrent('it stays without a policy, and the job fails when too few have succeeded', async () => {
    const job = await running('stays', [task('one', 3)], { minAvailable: 2 });
    for (const index of [0, 1]) await stage.endPod(`stays-one-${index}`, { exitCode: 3 });
    await stage.endPod('stays-one-2', { exitCode: 0 });
    const { phase, cause } = await job.wait();
    expect([phase, cause?.rule, cause?.exitCode]).toEqual(['Failed', 'spec.minAvailable: 2', 3]);
    expect(await stage.pods('stays')).toHaveLength(3);
  });

  it.concurrent('AbortJob for its exit code suspends the job, which a person resumes', async () => {
    const policies = [on(3, 'AbortJob'), on('PodFailed', 'TerminateJob')];
    const job = await running('aborted', [task('node', 2, { policies })], { plugins: { svc: [] } });
    await stage.endPod('aborted-node-1', { exitCode: 3 });
    const { cause, evidence } = await untilPhase(job, 'Suspended');
    expect(cause?.rule).toBe('spec.tasks[node].policies[0]: exitCode 3: AbortJob');
    expect(evidence).toMatchObject([{ pod: 'aborted-node-1' }]);
    await job.resume();
    await untilAttempt(job, 2);
    expect(attemptsOf(await stage.pods('aborted'))).toEqual(['2, env 2']);
    await stage.endPod('aborted-node-0', { exitCode: 4 });
    expect(await job.wait()).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StoppedByRule', exitCode: 4 },
    });
  });
});

it.concurrent('a deleted pod comes back at no cost, and by PodEvicted restarts the job', async () => {
  const job = await running('evicted', [
    task('calm', 1),
    task('strict', 1, { policies: [on('PodEvicted', 'RestartJob')] }),
  ]);
  const before = await stage.pods('evicted');
  await stage.cluster.delete(PODS, stage.namespace, 'evicted-calm-0');
  await untilPods('evicted', (pods) => renewed(before, pods).length === 1 && pods.length === 2);
  await untilPhase(job, 'Running');
  expect((await statusOf(job)).restarts).toBe(0);
  await stage.cluster.delete(PODS, stage.namespace, 'evicted-strict-0');
  const { restarts } = await untilAttempt(job, 2);
  expect(restarts).toBe(1);
  await job.stop();
});

it.concurrent('TaskFailed decides when programs of a task were restarted in place as often as its maxRetry', async () => {
  const crashing = task('crash', 1, {
    ...{ maxRetry: 2, policies: [on('TaskFailed', 'TerminateJob')] },
    template: {
      spec: {
        restartPolicy: 'OnFailure',
        nodeSelector: { 'signalbox.dev/node': 'local' },
        containers: [{ name: 'main', image: 'any', command: ['sh', '-c', 'exit 5'] }],
      },
    },
  });
  const job = await stage.client.submit(volcanoJob('worn', [crashing]));
  const { phase, cause } = await job.wait();
  expect([phase, cause?.rule]).toEqual([
    'Stopped',
    'spec.tasks[crash].policies[0]: TaskFailed: TerminateJob',
  ]);
  expect(cause?.message).toMatch(/restarted in place \d+ times; spec\.tasks\[crash\]\.maxRetry: 2/);
});

it.concurrent('a claim is made for the job, and its pods have it', async () => {
  const claimRef = { namespace: stage.namespace, name: 'claimed-pvc-0' };
  const requests = { storage: '1Gi' };
  const about = { accessModes: ['ReadWriteMany'], storageClassName: '' };
  const volume = `${stage.namespace}-claimed`;
  await stage.cluster.create(VOLUMES, {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volume } },
    spec: { ...about, capacity: requests, hostPath: { path: '/tmp' }, claimRef },
  });
  const job = await running('claimed', [task('main', 2)], {
    volumes: [{ mountPath: '/out', volumeClaim: { ...about, resources: { requests } } }],
  });
  const claim = await stage.cluster.get(VOLUME_CLAIMS, stage.namespace, claimRef.name);
  expect(claim).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'ConfigMap' }] },
    ...{ spec: { ...about, volumeName: volume }, status: { phase: 'Bound' } },
  });
  for (const { spec } of await stage.pods('claimed')) {
    expect(spec.volumes).toContainEqual({
      ...{ name: 'job-volume-0', persistentVolumeClaim: { claimName: claimRef.name } },
    });
  }
  await job.stop();
  await stage.cluster.delete(VOLUMES, undefined, volume);
});

it.concurrent('a task completes the job, and what still runs is deleted', async () => {
  const job = await running('completes', [
    task('main', 1, { policies: [on('TaskCompleted', 'CompleteJob')] }),
    task('helper', 2),
  ]);
  await stage.endPod('completes-main-0', { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
  await untilPods('completes', (pods) => pods.length === 1);
});

it.concurrent('plugins make a Service, lists of hosts, a key that is nowhere else, and a network policy', async () => {
  const name = 'plugins';
  const job = await running(name, [task('mpimaster', 1), task('mpiworker', 2)], {
    plugins: { mpi: ['--master=mpimaster', '--worker=mpiworker'] },
  });
  const find = (resource: typeof SECRETS, of: string) =>
    stage.cluster.find(resource as never, stage.namespace, of);
  const secret = (await find(SECRETS, `${name}-ssh`)) as { readonly data?: Readonly<Record<string, string>> };
  const text = (key: string) => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
  expect(text('id_rsa')).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
  expect(text('authorized_keys')).toBe(text('id_rsa.pub'));
  expect(text('config')).toContain(`Host ${name}-mpiworker-1\n  HostName ${name}-mpiworker-1.${name}\n`);
  expect(await find(CONFIG_MAPS as never, `${name}-svc`)).toMatchObject({
    data: { 'mpiworker.host': `${name}-mpiworker-0.${name}\n${name}-mpiworker-1.${name}` },
  });
  expect(await find(SERVICES as never, name)).toMatchObject({ spec: { clusterIP: 'None' } });
  expect(await find(NETWORK_POLICIES as never, name)).toMatchObject({ spec: { policyTypes: ['Ingress'] } });
  await job.stop();
});

it.concurrent('tasks start one after another, as dependsOn says', async () => {
  const out = mkdtempSync(join(tmpdir(), 'signalbox-tasks-'));
  const says = (name: string, replicas: number, after: readonly string[], then: string) => ({
    ...task(name, replicas, after.length > 0 ? { dependsOn: { name: after } } : {}),
    template: {
      spec: {
        restartPolicy: 'Never',
        nodeSelector: { 'signalbox.dev/node': 'local' },
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'main',
            image: 'any',
            command: ['sh', '-c', `echo ${name} >> /out/order; ${then}`],
            volumeMounts: [{ name: 'out', mountPath: '/out' }],
          },
        ],
        volumes: [{ name: 'out', hostPath: { path: out } }],
      },
    },
  });
  const last = { ...says('last', 1, ['middle'], 'exit 0'), policies: [on('TaskCompleted', 'CompleteJob')] };
  const job = await stage.client.submit(
    volcanoJob('chain', [
      last,
      says('middle', 1, ['first'], 'exec sleep 600'),
      says('first', 2, [], 'exec sleep 600'),
    ]),
  );
  expect((await job.wait()).phase).toBe('Completed');
  expect(readFileSync(join(out, 'order'), 'utf8').trim().split('\n')).toEqual([
    'first',
    'first',
    'middle',
    'last',
  ]);
});

const untilPods = (name: string, holds: (pods: Awaited<ReturnType<Stage['pods']>>) => boolean) =>
  eventually(`the pods of ${name} are as they should be`, async () => holds(await stage.pods(name)));
