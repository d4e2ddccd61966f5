import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { asFields } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import { type BridgedStage, openBridgedStage } from './bridged-stage.ts';

/** TrainJobs that are applied with kubectl, where there is no Kubeflow Trainer. All parts have the rights of an installation. */

const GROUP = 'trainer.kubeflow.org';
const KIND = jobResourceOf({ apiVersion: `${GROUP}/v1alpha1`, kind: 'TrainJob' });

let on: BridgedStage;

beforeAll(async () => {
  on = await openBridgedStage({ SIGNALBOX_SCAN_INTERVAL: '1' });
});

afterAll(async () => {
  await on?.kubectl('delete', 'clustertrainingruntimes', '-l', `of=${on.stage.namespace}`);
  await on?.close();
});

type Fields = Readonly<Record<string, unknown>>;

/** Its name has that of the namespace: other stages see it. */
const clusterRuntime = (name: string, { image = 'any', spec = {}, job = {} }: RuntimeParts = {}) => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'ClusterTrainingRuntime',
  metadata: { name: runtimeName(name), labels: { of: on.stage.namespace } },
  spec: {
    mlPolicy: { numNodes: 1, torch: {} },
    template: {
      spec: {
        ...spec,
        replicatedJobs: [
          {
            name: 'node',
            template: {
              metadata: { labels: { [`${GROUP}/trainjob-ancestor-step`]: 'trainer' } },
              spec: {
                ...job,
                template: {
                  spec: {
                    ...{ restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
                    nodeSelector: { 'signalbox.dev/node': 'simulated' },
                    containers: [{ name: 'node', image }],
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

interface RuntimeParts {
  readonly image?: string;
  /** Of the JobSet, and of the batch Job. */
  readonly spec?: Fields;
  readonly job?: Fields;
}

const runtimeName = (name: string) => `${name}-${on.stage.namespace}`;

const trainJob = (name: string, runtime: string, spec: Fields = {}) => ({
  ...{ apiVersion: KIND.apiVersion, kind: KIND.kind },
  metadata: { name, namespace: on.stage.namespace },
  spec: { runtimeRef: { name: runtimeName(runtime) }, ...spec },
});

const node = (counts: Fields) => [
  { name: 'node', ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counts },
];

const jobsOf = ({ status }: JobResource) => asFields(status).jobsStatus;

/** Without times and words for people. */
const conditionsOf = ({ status }: JobResource) =>
  status?.conditions?.map(({ type, status, reason }) => `${type}=${status} ${reason}`) ?? [];

const untilReady = (name: string) =>
  on.until(name, 'is ready', (one) => JSON.stringify(jobsOf(one)).includes('"ready":1'), KIND);

const untilCondition = (name: string, condition: string) =>
  on.until(name, `has ${condition}`, (one) => conditionsOf(one).includes(condition), KIND);

const patch = (name: string, spec: Fields) =>
  on.kubectl('patch', 'trainjob', name, '--type=merge', '-p', JSON.stringify({ spec }));

const imagesOf = async (job: string) =>
  (await on.stage.pods(job)).map(({ spec }) => spec.containers[0]!.image);

it('a job that is applied before its runtime runs to its end, and says so as under Trainer', async () => {
  const { kubectl, stage } = on;
  await kubectl.apply([trainJob('digits', 'torch', { trainer: { numNodes: 2, image: 'digits:1' } })]);
  const waiting = await on.until('digits', 'waits', ({ status }) => status?.reason !== undefined, KIND);
  expect(waiting.status).toMatchObject({
    ...{ phase: 'Pending', reason: 'ReferenceMissing' },
    message: `spec.runtimeRef.name: the job waits for ClusterTrainingRuntime ${runtimeName('torch')}, which the cluster does not have`,
  });
  await kubectl.apply([clusterRuntime('torch')]);
  const running = await untilReady('digits');
  // A condition would keep Kubeflow's SDK from looking at the pods.
  expect(running.status).toMatchObject({ conditions: [], jobsStatus: node({ active: 1, ready: 1 }) });
  expect(await imagesOf('digits')).toEqual(['digits:1', 'digits:1']);
  for (const index of [0, 1]) await stage.endPod(`digits-node-${index}`, { exitCode: 0 });
  await kubectl('wait', '--timeout=2m', '--for=condition=Complete', 'trainjob/digits');
  const ended = await on.resourceOf('digits', KIND);
  expect(conditionsOf(ended)).toEqual(['Complete=True AllJobsCompleted']);
  expect(jobsOf(ended)).toEqual(node({ succeeded: 1 }));
  const [head, line] = (await kubectl('get', 'trainjob', 'digits')).split('\n');
  expect(head!.split(/\s+/)).toEqual(['NAME', 'STATE', 'AGE']);
  expect(line).toMatch(/^digits\s+Complete\s+\d+[ms]/);
  await kubectl('delete', 'trainjob', 'digits');
  await eventually('its pods are gone', async () => (await stage.pods('digits')).length === 0);
});

it('a job that is suspended and patched has what its runtime was when it began', async () => {
  const { kubectl } = on;
  await kubectl.apply([clusterRuntime('paused', { image: 'first:1' }), trainJob('paused', 'paused')]);
  await untilReady('paused');
  await patch('paused', { trainer: { numNodes: 2 } });
  const told = await eventually('the edit is refused', async () => {
    const events = await on.eventsOf(await on.resourceOf('paused', KIND));
    return events.find(({ reason }) => reason === 'EditNotTaken');
  });
  expect(told.message).toContain(
    'spec.trainer.numNodes: expected nothing, which a job keeps while it has pods: it can change together with suspend',
  );
  await patch('paused', { trainer: null, suspend: true });
  const suspended = await untilCondition('paused', 'Suspended=True Suspended');
  await on.until(
    'paused',
    'has no pods',
    (one) => JSON.stringify(jobsOf(one)).includes('"suspended":1'),
    KIND,
  );
  expect(conditionsOf(suspended)).toEqual(['Suspended=True Suspended']);
  expect(await on.stage.pods('paused')).toEqual([]);

  await kubectl.apply([clusterRuntime('paused', { image: 'second:1' })]);
  const pod = { metadata: { labels: { level: 'the-pod' } } };
  await patch('paused', {
    runtimePatches: [
      {
        manager: 'kueue.x-k8s.io/manager',
        trainingRuntimeSpec: {
          template: { spec: { replicatedJobs: [{ name: 'node', template: { spec: { template: pod } } }] } },
        },
      },
    ],
  });
  await patch('paused', { suspend: false });
  const resumed = await untilReady('paused');
  expect(conditionsOf(resumed)).toEqual(['Suspended=False Resumed']);
  expect(await imagesOf('paused')).toEqual(['first:1']);
  const pods = await on.stage.pods('paused');
  expect(pods.map(({ metadata }) => metadata.labels?.level)).toEqual(['the-pod']);
  await on.stage.endPod('paused-node-0', { exitCode: 0 });
  const ended = await untilCondition('paused', 'Complete=True AllJobsCompleted');
  expect(conditionsOf(ended)).toEqual(['Suspended=False Resumed', 'Complete=True AllJobsCompleted']);
});

it('a job whose restarts are used up has failed in the words of JobSet', async () => {
  const spec = { failurePolicy: { maxRestarts: 1 } };
  await on.kubectl.apply([
    clusterRuntime('strict', { spec, job: { backoffLimit: 0 } }),
    trainJob('fails', 'strict'),
  ]);
  await untilReady('fails');
  await on.stage.endPod('fails-node-0', { exitCode: 1 });
  await on.until('fails', 'restarts', ({ status }) => status?.attempt === 2, KIND);
  await untilReady('fails');
  await on.stage.endPod('fails-node-0', { exitCode: 1 });
  const ended = await untilCondition('fails', 'Failed=True ReachedMaxRestarts');
  expect(jobsOf(ended)).toEqual(node({ failed: 1 }));
});

it('a job with faults says so, and one of another cluster is left alone', async () => {
  await on.kubectl.apply([
    clusterRuntime('faulty'),
    trainJob('faulty', 'faulty', { trainer: { env: [{ name: 'PET_NNODES', value: '7' }] } }),
    trainJob('away', 'faulty', { managedBy: 'kueue.x-k8s.io/multikueue' }),
  ]);
  const faulty = await untilCondition('faulty', 'Failed=True TrainJobFailedValidation');
  expect(faulty.status?.message).toContain('spec.trainer.env[0].name: expected another name');
  expect((await on.resourceOf('away', KIND)).status).toBeUndefined();
});

describe('beside Kubeflow Trainer', () => {
  const manager = (replicas: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kubeflow-trainer-controller-manager', namespace: on.stage.namespace },
    spec: {
      ...{ replicas, selector: { matchLabels: { app: 'trainer' } } },
      template: {
        metadata: { labels: { app: 'trainer' } },
        spec: { nodeSelector: { 'no.such/node': 'x' }, containers: [{ name: 'manager', image: 'any' }] },
      },
    },
  });

  /** The bridge looks for operators every few seconds. */
  const leftJob = async (): Promise<string> => {
    for (let tries = 0; ; tries++) {
      const name = `left-${tries}`;
      await on.kubectl.apply([trainJob(name, 'beside')]);
      const told = await eventually(`${name} is run, or left`, async () => {
        const resource = await on.resourceOf(name, KIND);
        const events = await on.eventsOf(resource);
        return events.find(({ reason }) => reason === 'OperatorRuns') ?? resource.status;
      });
      if ('reason' in told && told.reason === 'OperatorRuns') return name;
    }
  };

  it('a job is left to it, and run once it is gone', async () => {
    await on.kubectl.apply([clusterRuntime('beside'), manager(1)]);
    const name = await leftJob();
    expect((await on.resourceOf(name, KIND)).status).toBeUndefined();
    await on.kubectl.apply([manager(0)]);
    await untilReady(name);
    await on.kubectl('delete', 'deployment', 'kubeflow-trainer-controller-manager');
  });
});
