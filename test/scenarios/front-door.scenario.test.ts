import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { customResourceDefinitions } from '../../client/manifests/offline/definitions.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { PYTORCH } from './bridged-stage.ts';
import { deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';

/** What `signalbox sandbox up` and `signalbox up` do for jobs that are applied, without any setting; in this order. */

const BIN = join(import.meta.dirname, '..', '..', 'cli', 'bin.mjs');
const DEPLOYMENTS: Resource = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

let stage: Stage;
let kubectl: Kubectl;
let engine: Engine;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  kubectl = await openKubectl(stage);
});

afterAll(async () => {
  await kubectl('delete', 'pytorchjobs', '--all');
  await stage.close();
  await deleteDefinitions(kubectl);
});

const ENDS = { master: { annotations: SUCCEEDS }, worker: { annotations: SUCCEEDS } };

const apply = (name: string) => kubectl.apply([simulatedJob({ name, namespace: stage.namespace, ...ENDS })]);

const untilSucceeded = (name: string) =>
  kubectl('wait', '--for=condition=Succeeded', `pytorchjob/${name}`, '--timeout=120s');

const untilLogged = (text: string) =>
  eventually(`the log of \`signalbox up\` says "${text}"`, async () => {
    const log = await readFile(join(stage.sandbox.dir, 'engines', `${stage.namespace}-up.log`), 'utf8');
    return log.includes(text);
  });

/** Resolves also if the command fails. */
function signalbox(...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    SIGNALBOX_SANDBOX_DIR: stage.sandbox.dir,
    SIGNALBOX_NAMESPACE: stage.namespace,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [BIN, ...args], { env }, (_, stdout, stderr) => resolve(stdout + stderr)),
  );
}

it('definitions that come while it runs open the front door', async () => {
  engine = await stage.engine('up');
  await untilLogged('no bridge runs: the cluster serves no kind of job');
  expect(await signalbox('sandbox', 'up')).toContain('was already running');
  await apply('plain');
  await untilSucceeded('plain');
  await engine.stop();
});

it('a job that no bridge runs is named, by `signalbox up` and by doctor', async () => {
  await engine.start({ SIGNALBOX_BRIDGE: 'false' });
  await apply('waits');
  await untilLogged(`no bridge runs the jobs that were applied: PyTorchJob ${stage.namespace}/waits`);
  const said = await eventually('doctor says so', async () => {
    const text = await signalbox('doctor');
    return text.includes('no bridge runs PyTorchJob') && text;
  });
  expect(said).toContain(`no bridge runs PyTorchJob ${stage.namespace}/waits`);
  await engine.stop();
});

it('it stays away from what another operator runs, until that is gone', async () => {
  await kubectl('delete', 'crd', ...definitionsLeftBy('kubeflow.org'));
  await stage.cluster.create(DEPLOYMENTS, operator());
  await engine.start();
  await untilLogged(
    `no bridge runs: training-operator runs (Deployment ${stage.namespace}/training-operator) and takes the jobs that are applied`,
  );
  expect((await stage.cluster.get(PYTORCH, stage.namespace, 'waits')).status).toBeUndefined();
  await stage.cluster.delete(DEPLOYMENTS, stage.namespace, 'training-operator');
  await untilSucceeded('waits');
});

/** The definitions of the kinds that an operator of one API group does not run. */
const definitionsLeftBy = (group: string) =>
  customResourceDefinitions()
    .filter(({ spec }) => spec.group !== group)
    .map(({ metadata }) => metadata.name);

const operator = (): KubeObject => {
  const labels = { app: 'training-operator' };
  const containers = [{ name: 'manager', image: 'training-operator' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'training-operator', namespace: stage.namespace },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
};
