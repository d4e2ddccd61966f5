import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobResourceOf } from '../../contracts/job-resources.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { asFields } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import { type BridgedStage, openBridgedStage } from './bridged-stage.ts';
import { type Manifest, onSimulatedNodes, SUCCEEDS } from './manifests.ts';

/** Jobs of Volcano that are applied with kubectl, beside its scheduler and without its controller of jobs. All parts have the rights of an installation. */

const JOB = jobResourceOf({ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job' });

let on: BridgedStage;

beforeAll(async () => {
  on = await openBridgedStage({ SIGNALBOX_SCAN_INTERVAL: '1' });
});

afterAll(() => on.close());

type Fields = Readonly<Record<string, unknown>>;

const volcanoJob = (name: string, spec: Fields = {}, annotations: object = {}): Manifest =>
  onSimulatedNodes({
    apiVersion: JOB.apiVersion,
    kind: JOB.kind,
    metadata: { name, namespace: on.stage.namespace },
    spec: {
      schedulerName: 'volcano',
      plugins: { svc: [] },
      ...spec,
      tasks: [
        {
          name: 'node',
          replicas: 2,
          template: {
            metadata: { annotations },
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'any' }] },
          },
        },
      ],
    },
  }) as Manifest;

const untilVolcanoPhase = (name: string, phase: string) =>
  on.until(name, `is ${phase}`, ({ status }) => status?.state?.phase === phase, JOB);

it('a Job that is applied runs, and kubectl shows it as with Volcano', async () => {
  const { kubectl } = on;
  await kubectl.apply([volcanoJob('shown', { queue: 'default' })]);
  await kubectl('wait', '--timeout=2m', '--for=jsonpath={.status.state.phase}=Running', 'vcjob/shown');
  const { status } = await on.until('shown', 'counts its pods', ({ status }) => status?.running === 2, JOB);
  expect(status).toMatchObject({
    ...{ minAvailable: 2, running: 2, controlledResources: { 'plugin-svc': 'svc' } },
    taskStatusCount: { node: { phase: { Running: 2 } } },
  });
  const [head, line] = (await kubectl('get', 'vj', '-o', 'wide')).split('\n');
  expect(head!.split(/\s{2,}/)).toEqual(
    expect.arrayContaining(['NAME', 'STATUS', 'MINAVAILABLE', 'RUNNINGS', 'AGE', 'QUEUE', 'REASON']),
  );
  expect(line).toMatch(/^shown\s+Running\s+2\s+2\s+\d+s\s+default\s/);
  for (const index of [0, 1]) await on.stage.endPod(`shown-node-${index}`, { exitCode: 0 });
  await kubectl('wait', '--timeout=2m', '--for=jsonpath={.status.state.phase}=Completed', 'vcjob/shown');
  const ended = await on.resourceOf('shown', JOB);
  expect(ended.status).toMatchObject({ succeeded: 2, runningDuration: expect.stringMatching(/^\d+s$/) });
  expect(asFields(ended.status).conditions).toMatchObject([
    ...[{ status: 'Pending' }, { status: 'Running' }, { status: 'Completed' }],
  ]);
  await kubectl('delete', 'vcjob', 'shown');
  await eventually('its pods are gone', async () => (await on.stage.pods('shown')).length === 0);
});

it.each([
  { gang: 'auto', scheduler: 'volcano' },
  { gang: 'native', scheduler: 'default-scheduler' },
  { gang: 'gated', scheduler: 'default-scheduler' },
])('the gang of a Job is placed with the gang scheduler $gang', async ({ gang, scheduler }) => {
  const job = volcanoJob(`by-${gang}`);
  const annotations = { 'signalbox.dev/gang': gang };
  await on.kubectl.apply([{ ...job, metadata: { ...job.metadata, annotations } }]);
  await untilVolcanoPhase(`by-${gang}`, 'Running');
  const pods = await on.stage.pods(`by-${gang}`);
  expect(pods.map(({ spec }) => spec.schedulerName)).toEqual([scheduler, scheduler]);
  await on.kubectl('delete', 'vcjob', `by-${gang}`);
});

it('a Job with faults says so, and one whose time to live is over is deleted', async () => {
  const policies = [{ event: 'PodFailed', action: 'RestartJob', timeout: 'soon' }];
  await on.kubectl.apply([
    volcanoJob('faulty', { policies }),
    volcanoJob('short', { ttlSecondsAfterFinished: 0 }, SUCCEEDS),
  ]);
  const { status } = await untilVolcanoPhase('faulty', 'Failed');
  expect(status?.state).toMatchObject({ reason: 'InvalidManifest' });
  expect(status?.message).toContain('spec.policies[0].timeout: expected');
  await eventually(
    'it is gone',
    async () => !(await on.stage.cluster.find(JOB, on.stage.namespace, 'short')),
  );
});

describe('a Command', () => {
  const command = async (name: string, action: string) => {
    const { metadata, apiVersion, kind } = await on.resourceOf(name, JOB);
    const target = { apiVersion, kind, name, uid: metadata.uid, controller: true };
    await on.kubectl.apply([
      {
        ...{ apiVersion: 'bus.volcano.sh/v1alpha1', kind: 'Command', action, target },
        metadata: {
          name: `${name}-${action.toLowerCase()}`,
          namespace: on.stage.namespace,
          ownerReferences: [target],
        },
      },
    ]);
  };
  const commands = () => on.kubectl('get', 'commands.bus.volcano.sh', '-o', 'name');

  it('suspends, resumes and stops a job, and is deleted', async () => {
    await on.kubectl.apply([volcanoJob('asked')]);
    await untilVolcanoPhase('asked', 'Running');
    await command('asked', 'AbortJob');
    await untilVolcanoPhase('asked', 'Aborted');
    expect(
      await on.stage.cluster.list(PODS, {
        namespace: on.stage.namespace,
        labelSelector: 'volcano.sh/job-name=asked',
      }),
    ).toMatchObject({ items: [] });
    await command('asked', 'ResumeJob');
    await untilVolcanoPhase('asked', 'Running');
    await command('asked', 'RestartJob');
    await command('asked', 'TerminateJob');
    const ended = await untilVolcanoPhase('asked', 'Terminated');
    await eventually('no command is left', async () => (await commands()) === '');
    const events = await on.eventsOf(ended);
    const reasons = events
      .filter(({ reason }) => reason.startsWith('Command'))
      .map(({ reason, message }) => `${reason} ${message}`);
    expect(reasons.toSorted()).toEqual([
      'CommandIssued Start to execute command AbortJob: suspend the job',
      'CommandIssued Start to execute command ResumeJob: resume the job',
      'CommandIssued Start to execute command TerminateJob: stop the job',
      expect.stringMatching(
        /^CommandNotTaken asked-restartjob: RestartJob: the actions of a Command are AbortJob,/,
      ),
    ]);
  });
});

describe('beside Volcano', () => {
  const controllers = (controllersFlag: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'volcano-controllers', namespace: on.stage.namespace },
    spec: {
      selector: { matchLabels: { app: 'volcano' } },
      template: {
        metadata: { labels: { app: 'volcano' } },
        spec: {
          nodeSelector: { 'no.such/node': 'x' },
          containers: [{ name: 'c', image: 'any', args: [`--controllers=${controllersFlag}`] }],
        },
      },
    },
  });

  /** The bridge looks for operators every few seconds. */
  const leftJob = async (): Promise<string> => {
    for (let tries = 0; ; tries++) {
      const name = `left-${tries}`;
      await on.kubectl.apply([volcanoJob(name)]);
      const told = await eventually(`${name} is run, or left`, async () => {
        const resource = await on.resourceOf(name, JOB);
        const events = await on.eventsOf(resource);
        return events.find(({ reason }) => reason === 'OperatorRuns') ?? resource.status;
      });
      if (!('reason' in told && told.reason === 'OperatorRuns')) continue;
      expect(told.message).toContain('or if its flag --controllers has -job-controller');
      return name;
    }
  };

  it('a Job is left to its controller, and run once that leaves jobs alone', async () => {
    await on.kubectl.apply([controllers('*')]);
    const name = await leftJob();
    expect((await on.resourceOf(name, JOB)).status).toBeUndefined();
    await on.kubectl.apply([controllers('*,-job-controller')]);
    await untilVolcanoPhase(name, 'Running');
    await on.kubectl('delete', 'deployment', 'volcano-controllers');
  });
});
