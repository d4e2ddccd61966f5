import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrograms, ensureTrainingOperator } from '@signalbox/sandbox';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { CONFIG_MAPS, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { anchorNameOf, KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import type { MeasuredProcess } from '../performance/measured-process.ts';
import { OperatorProcess } from '../performance/operator-process.ts';
import { type BridgedStage, openBridgedStage, PYTORCH } from '../scenarios/bridged-stage.ts';
import type { Kubectl } from '../scenarios/kubectl.ts';
import { type Manifest, onSimulatedNodes, simulatedJob } from '../scenarios/manifests.ts';
import type { Stage } from '../scenarios/stage.ts';
import { MpiOperatorProcess } from './mpi-operator-process.ts';
import { openLongSandbox } from './sandbox.ts';

/** docs/migrating.md, walked with the real training-operator and mpi-operator: from each to signalbox, and back. */

/** An operator that is stopped leaves its lease: that counts for four times its duration of 15 s. */
const UNTIL_LEASE_IS_OVER_MS = 90_000;

const TAKE_OVER = ADMISSION_POLICIES['take-over']();

interface Operator {
  readonly name: string;
  readonly kind: Resource<JobResource>;
  /** Where its own manifests install it. */
  readonly namespace: string;
  manifest(name: string, runPolicy?: object): Manifest;
  start(): Promise<MeasuredProcess>;
}

const OPERATORS: readonly Operator[] = [
  {
    name: 'training-operator',
    kind: PYTORCH,
    namespace: 'kubeflow',
    manifest: (name, runPolicy = {}) =>
      simulatedJob({ name, namespace: stage.namespace, runPolicy: { ...runPolicy } }),
    start: async () => {
      const { program } = await ensureTrainingOperator();
      return OperatorProcess.start({ program, kubeconfig: stage.sandbox.kubeconfig }, stage.cluster);
    },
  },
  {
    name: 'mpi-operator',
    kind: jobResourceOf({ apiVersion: 'kubeflow.org/v2beta1', kind: 'MPIJob' }),
    namespace: 'mpi-operator',
    manifest: (name, runPolicy = {}) => mpiJob(name, runPolicy),
    start: () => MpiOperatorProcess.start(stage.sandbox.kubeconfig, stage.cluster),
  },
];

/** A launcher and two workers, on simulated nodes. */
function mpiJob(name: string, runPolicy: object): Manifest {
  const role = (replicas: number) => ({
    replicas,
    template: { spec: { containers: [{ name: 'mpi', image: 'mpi:1', command: ['mpirun'] }] } },
  });
  return onSimulatedNodes({
    ...{ apiVersion: 'kubeflow.org/v2beta1', kind: 'MPIJob', metadata: { name, namespace: stage.namespace } },
    spec: { runPolicy, mpiReplicaSpecs: { Launcher: role(1), Worker: role(2) } },
  });
}

/** What its own manifests install; the operator itself is a process of this test. */
const deploymentOf = ({ name, namespace }: Operator) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: { 'signalbox.dev/node': 'simulated' },
        containers: [{ name, image: `${name}:1`, command: ['/manager'] }],
      },
    },
  },
});

let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;
let running: MeasuredProcess | undefined;

beforeAll(async () => {
  // Their first build takes minutes, which the time limit of a walk does not have.
  await ensurePrograms({ names: ['training-operator', 'mpi-operator'] });
  on = await openBridgedStage({}, { localNode: false, sandbox: await openLongSandbox() });
  ({ stage, kubectl } = on);
}, 1_200_000);

afterAll(async () => {
  await running?.stop();
  await kubectl(
    'delete',
    'mutatingadmissionpolicies,mutatingadmissionpolicybindings',
    'signalbox-take-over',
    '--ignore-not-found',
  );
  await on.close();
});

/** The Deployment comes first, as in a cluster: the bridge sees it before the operator does anything. */
async function startOperator(operator: Operator): Promise<void> {
  await kubectl.apply([deploymentOf(operator)], '-n', operator.namespace);
  const scout = `scout-${Date.now()}`;
  await kubectl.apply([operator.manifest(scout, { suspend: true })]);
  await untilTold(operator, scout, 'OperatorRuns');
  running = await operator.start();
}

async function stopOperator({ name, namespace }: Operator): Promise<void> {
  await kubectl('-n', namespace, 'scale', `deployment/${name}`, '--replicas=0');
  await running?.stop();
  running = undefined;
}

const isTrue = ({ status }: JobResource, type: string) =>
  Boolean(status?.conditions?.some((one) => one.type === type && one.status === 'True'));

const has = ({ kind }: Operator, name: string, type: string) =>
  on.until(name, `is ${type}`, (resource) => isTrue(resource, type), kind);

/** All pods of a job, whoever made them. The operator's have no label of ours. */
async function podsOf(name: string): Promise<readonly Pod[]> {
  const selection = { namespace: stage.namespace, labelSelector: `${KUBEFLOW_LABELS.jobName}=${name}` };
  const { items } = await stage.cluster.list(PODS, selection);
  expect(items).toHaveLength(3);
  return items;
}

/** Who made the pods of a job: signalbox's have its anchor as an owner, too. */
async function engineOf(name: string): Promise<'signalbox' | 'the operator'> {
  const anchor = await stage.cluster.find(CONFIG_MAPS, stage.namespace, anchorNameOf(name));
  for (const { metadata } of await podsOf(name))
    expect(metadata.ownerReferences?.some(({ uid }) => uid === anchor?.metadata.uid)).toBe(
      anchor !== undefined,
    );
  return anchor ? 'signalbox' : 'the operator';
}

/** The pod that decides succeeds. */
async function succeed(name: string): Promise<void> {
  const pods = await podsOf(name);
  const decides = pods.find(({ metadata }) => !metadata.name.includes('-worker-'))!;
  await stage.endPod(decides.metadata.name, { exitCode: 0 });
}

const eventReasons = async ({ kind }: Operator, name: string) =>
  (await on.eventsOf(await on.resourceOf(name, kind))).map(({ reason }) => reason);

const untilTold = (operator: Operator, name: string, reason: string) =>
  eventually(`${name} has an event ${reason}`, async () =>
    (await eventReasons(operator, name)).includes(reason),
  );

const bridgeFinding = async (check: string) => {
  const { sandbox } = stage;
  const { stdout } = await signalbox(['doctor', '--for', 'bridge', '-o', 'json'], {
    env: {
      TEMPORAL_ADDRESS: sandbox.temporalAddress,
      SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
      SIGNALBOX_ARCHIVE_STORE: 'none',
    },
  });
  const findings = JSON.parse(stdout) as { part: string; check: string; state: string; message: string }[];
  return findings.find((one) => one.part === 'bridge' && one.check === check);
};

/** What the API server would make of a new job. */
const asWritten = (operator: Operator) =>
  kubectl.apply([operator.manifest('probe')], '--dry-run=server', '-o', 'yaml');

it.each(OPERATORS)(
  'a cluster moves from $name to signalbox and back, and each job ends where it began',
  async (operator) => {
    const { name, kind, namespace } = operator;
    const called = (job: string) => `${kind.kind.toLowerCase()}-${job}`;
    const [old, fresh, plain, back] = ['old', 'new', 'plain', 'back'].map(called) as [
      string,
      string,
      string,
      string,
    ];
    const apply = (job: string) => kubectl.apply([operator.manifest(job)]);

    // Before: the operator runs everything, and the bridge leaves it alone.
    await kubectl('create', 'namespace', namespace);
    await startOperator(operator);
    const seen = await bridgeFinding('operators');
    expect(seen).toMatchObject({
      state: 'warning',
      message: expect.stringContaining(`${name} runs (Deployment`),
    });
    await apply(old);
    await has(operator, old, 'Running');
    await untilTold(operator, old, 'OperatorRuns');
    expect(await engineOf(old)).toBe('the operator');

    // New jobs are signalbox's, while the old one runs on.
    await kubectl.apply(TAKE_OVER);
    await eventually('new jobs are managed by signalbox', async () =>
      (await asWritten(operator)).includes('managedBy: signalbox.dev/bridge'),
    );
    await apply(fresh);
    await on.untilPhase(fresh, 'Running', kind);
    expect(await engineOf(fresh)).toBe('signalbox');
    await succeed(old);
    await has(operator, old, 'Succeeded');

    // The operator goes; what names nobody is signalbox's, too.
    await stopOperator(operator);
    await kubectl('delete', 'mutatingadmissionpolicy,mutatingadmissionpolicybinding', 'signalbox-take-over');
    await eventually(
      'no operator is found',
      async () => {
        expect(await bridgeFinding('operators')).toMatchObject({ state: 'ok' });
        return true;
      },
      { withinMs: UNTIL_LEASE_IS_OVER_MS },
    );
    await eventually(
      'jobs keep who manages them',
      async () => !(await asWritten(operator)).includes('managedBy'),
    );
    await apply(plain);
    await on.untilPhase(plain, 'Running', kind);
    expect(await engineOf(plain)).toBe('signalbox');
    expect((await on.resourceOf(old, kind)).status?.phase).toBeUndefined();
    await succeed(plain);
    await on.untilPhase(plain, 'Completed', kind);

    // And back: the operator leaves the job that names signalbox to it, and takes new ones.
    await startOperator(operator);
    await apply(back);
    await has(operator, back, 'Running');
    expect(await engineOf(back)).toBe('the operator');
    expect(await engineOf(fresh)).toBe('signalbox');
    await succeed(fresh);
    await on.untilPhase(fresh, 'Completed', kind);
    expect(await eventReasons(operator, fresh)).not.toContain('OperatorRuns');
    await stopOperator(operator);
  },
  300_000,
);
