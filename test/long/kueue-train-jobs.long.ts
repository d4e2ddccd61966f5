import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { podSetsOf } from '../../gang/kueue-workload.ts';
import { asFields, valueAt } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import type { BridgedStage } from '../scenarios/bridged-stage.ts';
import { type Stage, untilPhase } from '../scenarios/stage.ts';
import { CPUS, endAll, type Flavor, metadataOf, said, untilItWaitsFor } from './kueue-queues.ts';
import { KueueStage, SET_UP_MS } from './kueue-stage.ts';

/** TrainJobs in a queue of Kueue, where there is neither Kubeflow Trainer nor JobSet, but for the definition of JobSets. */

const GROUP = 'trainer.kubeflow.org';
const TRAIN = jobResourceOf({ apiVersion: `${GROUP}/v1alpha1`, kind: 'TrainJob' });
const MANAGER = 'kueue.x-k8s.io/manager';

let queues: KueueStage;
let on: BridgedStage;
let stage: Stage;

beforeAll(async () => {
  queues = await KueueStage.open();
  ({ on } = queues);
  ({ stage } = on);
  await on.kubectl.apply([runtime()]);
}, SET_UP_MS);

afterAll(() => queues?.close());

const container = {
  ...{ name: 'node', image: 'train:1', command: ['train'] },
  resources: { requests: { cpu: 1 } },
};

const runtime = () => ({
  ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'TrainingRuntime' },
  metadata: { name: 'plain', namespace: stage.namespace },
  spec: {
    mlPolicy: { numNodes: 1 },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: 'node',
            template: {
              metadata: { labels: { [`${GROUP}/trainjob-ancestor-step`]: 'trainer' } },
              spec: {
                template: {
                  spec: {
                    ...{ restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
                    containers: [container],
                  },
                },
              },
            },
          },
        ],
      },
    },
  },
});

/** Of three pods, as the quota of a flavor has them. */
const trainJob = (name: string) => ({
  ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'TrainJob', metadata: metadataOf(name, stage.namespace, {}) },
  spec: { runtimeRef: { kind: 'TrainingRuntime', name: 'plain' }, trainer: { numNodes: CPUS } },
});

const workloadOf = async (name: string) => queues.workloadOf(await on.resourceOf(name, TRAIN));

const untilSaid = (name: string, type: string, reason?: string) =>
  eventually(`Kueue says ${type} of ${name}`, async () => {
    const condition = said(await workloadOf(name), type);
    return condition?.status === 'True' && (reason === undefined || condition.reason === reason);
  });

/** Of batch Jobs, as Kueue counts what is still active. */
const activeIn = ({ status }: JobResource): number =>
  ((status?.jobsStatus ?? []) as readonly unknown[]).reduce<number>(
    (sum, one) => sum + Number(asFields(one).active ?? 0),
    0,
  );

async function expectPods(name: string, flavor: Flavor): Promise<void> {
  const { nodeSelector } = queues.pools[flavor];
  const pods = await stage.pods(name);
  expect(pods).toHaveLength(CPUS);
  for (const { metadata, spec } of pods) {
    expect(spec.nodeSelector).toEqual(nodeSelector);
    expect(spec.schedulingGates).toBeUndefined();
    expect(metadata.labels).toMatchObject({ 'kueue.x-k8s.io/podset': 'node' });
  }
}

async function untilItRuns(name: string, flavor: Flavor): Promise<JobResource> {
  const resource = await on.untilPhase(name, 'Running', TRAIN);
  await expectPods(name, flavor);
  await untilSaid(name, 'PodsReady');
  return resource;
}

describe('a TrainJob that is applied', () => {
  it('is suspended at birth, and runs where Kueue admits it, by the patch that Kueue writes', async () => {
    await on.kubectl.apply([trainJob('first')]);
    const { spec } = await untilItRuns('first', 'reserved');
    expect(spec).toMatchObject({ suspend: false, runtimePatches: [{ manager: MANAGER }] });
    expect(podSetsOf(await workloadOf('first')).map(({ name, count }) => [name, count])).toEqual([
      ['node', CPUS],
    ]);
    await on.kubectl.apply([trainJob('second')]);
    await untilItRuns('second', 'spot');
  });

  it('waits for quota, as Kueue says, and runs when another has ended', async () => {
    await on.kubectl.apply([trainJob('third')]);
    await untilItWaitsFor(stage, 'third', 'WaitingForQueue', /insufficient unused quota for cpu/);
    expect(await stage.pods('third')).toEqual([]);
    await endAll(stage, 'first');
    await untilSaid('first', 'Finished', 'Succeeded');
    await untilItRuns('third', 'reserved');
  });

  it('is evicted, gives its quota back once its pods are gone, and runs again', async () => {
    await queues.setActive(await workloadOf('third'), false);
    await queues.untilItGaveBack('third', async () => {
      const resource = await on.resourceOf('third', TRAIN);
      return { workload: await queues.workloadOf(resource), active: activeIn(resource) };
    });
    await eventually('Kueue takes its patch back', async () => {
      const { spec } = await on.resourceOf('third', TRAIN);
      const [patch] = (valueAt(spec, 'runtimePatches') ?? []) as readonly unknown[];
      const path = 'trainingRuntimeSpec.template.spec.replicatedJobs';
      return valueAt(spec, 'suspend') === true && valueAt(patch, path) === undefined;
    });
    await queues.setActive(await workloadOf('third'), true);
    const { status } = await untilItRuns('third', 'reserved');
    expect(status!.attempt).toBeGreaterThan(1);
    for (const name of ['second', 'third']) {
      await endAll(stage, name);
      await untilSaid(name, 'Finished', 'Succeeded');
    }
  });
});

it('one that is submitted has a Workload of its own, and runs on the nodes of its flavor', async () => {
  const job = await stage.client.submit(trainJob('submitted'));
  await untilPhase(job, 'Running');
  await expectPods('submitted', 'reserved');
  const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf('submitted'));
  const workload = await queues.workloadOf(anchor);
  expect(podSetsOf(workload).map(({ name, count }) => [name, count])).toEqual([['node', CPUS]]);
  await endAll(stage, 'submitted');
  await untilPhase(job, 'Completed');
});
