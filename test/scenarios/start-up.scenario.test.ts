import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NoLogError } from '../../client/errors/errors.ts';
import { NODES } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { courseOf, untilStatus } from './attempts.ts';
import { nodeWithoutKubelet, onNode, refuseImage } from './bare-nodes.ts';
import { localJob } from './local-jobs.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** Pods that cannot start are a failure of their own when they have had time enough. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const startUp = (rules: object) => ({
  failures: { classes: { startUp: { after: '1s', ...rules } } },
  restart: { backOff: { initial: '0s' } },
});

const onLocalNode = (name: string, container: Readonly<Record<string, unknown>>): Manifest =>
  localJob({ name, namespace: stage.namespace, script: 'exec sleep 600', container });

/** Of each, what keeps its pods from their start. */
const HINDERED: readonly (readonly [reason: string, manifest: (name: string) => Manifest])[] = [
  ['Unschedulable', (name) => simulatedJob({ name, namespace: stage.namespace, gpus: 1_000 })],
  ['CreateContainerError', (name) => onLocalNode(name, { command: undefined })],
  [
    'CreateContainerConfigError',
    (name) => onLocalNode(name, { envFrom: [{ configMapRef: { name: 'not-there' } }] }),
  ],
  ['ContainerCreating', (name) => withVolume(onLocalNode(name, {}), { configMap: { name: 'not-there' } })],
];

describe.each(HINDERED)('a job whose pods wait with %s', (reason, manifest) => {
  const name = reason.toLowerCase().replaceAll('create', 'c');

  it.concurrent('restarts its gang after the limit, as often as the budget of startUp allows', async () => {
    const job = await stage.client.submit(withPolicy(manifest(name), startUp({ budget: 1 })));
    const outcome = await job.wait();
    expect(outcome).toMatchObject({
      phase: 'Failed',
      attempt: 2,
      restarts: 1,
      cause: {
        reason: 'FailureBudgetExceeded',
        rule: expect.stringContaining('failures.classes.startUp.budget: 1'),
        message: expect.stringContaining(reason),
      },
    });
    expect(courseOf(outcome)).toContain('the gang restarts');
    await eventually('its pods are gone', async () => (await stage.pods(name)).length === 0);
  });
});

describe('a job with an image that cannot be pulled', () => {
  it.concurrent('fails when startUp is final, with the message of the kubelet', async () => {
    const node = `bare-${stage.namespace}`;
    await stage.cluster.create(NODES, nodeWithoutKubelet(node));
    const manifest = onNode(simulatedJob({ name: 'image', namespace: stage.namespace, worker: false }), node);
    const job = await stage.client.submit(withPolicy(manifest, startUp({ final: true })));
    await eventually('its pod has a node', async () => (await stage.pod('image-master-0')).spec.nodeName);
    await refuseImage(stage, 'image-master-0');
    const { phase, cause, restarts } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 0 });
    expect(cause).toMatchObject({
      reason: 'StartUpFailed',
      message: expect.stringContaining('manifest for train:1 not found'),
    });
    expect(await stage.pods('image')).toEqual([]);
    await stage.cluster.delete(NODES, undefined, node);
  });
});

/** With another volume at `/state`. */
function withVolume(manifest: Manifest, source: object): Manifest {
  const text = JSON.stringify(manifest).replace('"emptyDir":{}', JSON.stringify(source).slice(1, -1));
  return JSON.parse(text);
}

it('a job that needs more than the cluster has shows what it needs, and what there is', async () => {
  const job = await stage.client.submit(
    simulatedJob({ name: 'greedy', namespace: stage.namespace, gpus: 1_000 }),
  );
  const { cause } = await untilStatus(job, 'it says why it waits', ({ cause }) =>
    Boolean(cause?.message.includes('Insufficient nvidia.com/gpu')),
  );
  expect(cause?.message).toMatch(
    /^each master and worker pod requests 1000 nvidia\.com\/gpu, the largest node has \d+; .*0 of 3 pods have a node/,
  );
  await job.stop();
  await job.wait();
});

describe('the log of a job whose pods have no node yet', () => {
  it.concurrent('does not exist, and the error says why', async () => {
    const manifest = simulatedJob({ name: 'unread', namespace: stage.namespace, gpus: 1_000 });
    const job = await stage.client.submit(manifest);
    await eventually('its pods are made', async () => (await stage.pods('unread')).length === 3);
    const read = async () => {
      for await (const { text } of job.logs({ all: true })) return text;
    };
    await expect(read()).rejects.toThrow(NoLogError);
    await expect(read()).rejects.toThrow(
      /^unread-master-0 has not started yet: it has no node yet .*, and 2 more pods have no log either; unread is /s,
    );
    await job.stop();
    await job.wait();
  });
});
