import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensureTrainingOperator } from '@signalbox/sandbox';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { anchorNameOf, KUBEFLOW_LABELS } from '../../contracts/labels.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { OperatorProcess } from '../performance/operator-process.ts';
import { type BridgedStage, openBridgedStage } from '../scenarios/bridged-stage.ts';
import type { Kubectl } from '../scenarios/kubectl.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import type { Stage } from '../scenarios/stage.ts';
import { openLongSandbox } from './sandbox.ts';

/** docs/migrating.md, walked with the real training-operator: from it to signalbox, and back. */

const TAKE_OVER = ADMISSION_POLICIES['take-over']();
/** What its own manifests install; the operator itself is a process of this test. */
const DEPLOYMENT = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'training-operator' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { 'control-plane': 'kubeflow-training-operator' } },
    template: {
      metadata: { labels: { 'control-plane': 'kubeflow-training-operator' } },
      spec: {
        nodeSelector: { 'signalbox.dev/node': 'simulated' },
        containers: [{ name: 'training-operator', image: 'training-operator:1', command: ['/manager'] }],
      },
    },
  },
};

let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;
let operator: OperatorProcess | undefined;

beforeAll(async () => {
  on = await openBridgedStage({}, { localNode: false, sandbox: await openLongSandbox() });
  ({ stage, kubectl } = on);
}, 1_200_000);

afterAll(async () => {
  await operator?.stop();
  await kubectl(
    'delete',
    'mutatingadmissionpolicies,mutatingadmissionpolicybindings',
    'signalbox-take-over',
    '--ignore-not-found',
  );
  await on.close();
});

/** The Deployment comes first, as in a cluster: the bridge sees it before the operator does anything. */
async function startOperator(): Promise<void> {
  await kubectl.apply([DEPLOYMENT]);
  const scout = `scout-${Date.now()}`;
  const suspended = { name: scout, namespace: stage.namespace, runPolicy: { suspend: true } };
  await kubectl.apply([simulatedJob(suspended)]);
  await untilTold(scout, 'OperatorRuns');
  const { program } = await ensureTrainingOperator();
  operator = await OperatorProcess.start({ program, kubeconfig: stage.sandbox.kubeconfig }, stage.cluster);
}

const stopOperator = async () => {
  await kubectl('scale', 'deployment/training-operator', '--replicas=0');
  await operator?.stop();
  operator = undefined;
};

const apply = (name: string) => kubectl.apply([simulatedJob({ name, namespace: stage.namespace })]);

const has = (name: string, type: string) =>
  on.until(name, `is ${type}`, ({ status }) =>
    Boolean(status?.conditions?.some((one) => one.type === type && one.status === 'True')),
  );

/** Who made the pods of a job: signalbox's have its anchor as an owner, too. */
async function engineOf(name: string): Promise<'signalbox' | 'training-operator'> {
  const anchor = await stage.cluster.find(CONFIG_MAPS, stage.namespace, anchorNameOf(name));
  // The operator's have no label of ours.
  const selection = { namespace: stage.namespace, labelSelector: `${KUBEFLOW_LABELS.jobName}=${name}` };
  const { items: pods } = await stage.cluster.list(PODS, selection);
  expect(pods).toHaveLength(3);
  for (const { metadata } of pods)
    expect(metadata.ownerReferences?.some(({ uid }) => uid === anchor?.metadata.uid)).toBe(
      anchor !== undefined,
    );
  return anchor ? 'signalbox' : 'training-operator';
}

const eventReasons = async (name: string) =>
  (await on.eventsOf(await on.resourceOf(name))).map(({ reason }) => reason);

const untilTold = (name: string, reason: string) =>
  eventually(`${name} has an event ${reason}`, async () => (await eventReasons(name)).includes(reason));

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

it('a cluster moves from training-operator to signalbox and back, and each job ends where it began', async () => {
  // Before: training-operator runs everything, and the bridge leaves it alone.
  await startOperator();
  const seen = await bridgeFinding('operators');
  expect(seen).toMatchObject({ state: 'warning', message: expect.stringContaining('runs (Deployment') });
  await apply('old');
  await has('old', 'Running');
  await untilTold('old', 'OperatorRuns');
  expect(await engineOf('old')).toBe('training-operator');

  // New jobs are signalbox's, while the old one runs on.
  await kubectl.apply(TAKE_OVER);
  await eventually('new jobs are managed by signalbox', async () => {
    const probe = simulatedJob({ name: 'probe', namespace: stage.namespace });
    const written = await kubectl.apply([probe], '--dry-run=server', '-o', 'yaml');
    return written.includes('managedBy: signalbox.dev/bridge');
  });
  await apply('new');
  await on.untilPhase('new', 'Running');
  expect(await engineOf('new')).toBe('signalbox');
  await stage.endPod('old-master-0', { exitCode: 0 });
  await has('old', 'Succeeded');

  // training-operator goes; what names nobody is signalbox's, too.
  await stopOperator();
  await kubectl('delete', 'mutatingadmissionpolicy,mutatingadmissionpolicybinding', 'signalbox-take-over');
  expect(await bridgeFinding('operators')).toMatchObject({ state: 'ok' });
  await eventually('jobs keep who manages them', async () => {
    const probe = simulatedJob({ name: 'probe', namespace: stage.namespace });
    return !(await kubectl.apply([probe], '--dry-run=server', '-o', 'yaml')).includes('managedBy');
  });
  await apply('plain');
  await on.untilPhase('plain', 'Running');
  expect(await engineOf('plain')).toBe('signalbox');
  expect((await on.resourceOf('old')).status?.phase).toBeUndefined();
  await stage.endPod('plain-master-0', { exitCode: 0 });
  await on.untilPhase('plain', 'Completed');

  // And back: training-operator leaves the job that names signalbox to it, and takes new ones.
  await startOperator();
  await apply('back');
  await has('back', 'Running');
  expect(await engineOf('back')).toBe('training-operator');
  expect(await engineOf('new')).toBe('signalbox');
  await stage.endPod('new-master-0', { exitCode: 0 });
  await on.untilPhase('new', 'Completed');
  expect(await eventReasons('new')).not.toContain('OperatorRuns');
}, 300_000);
