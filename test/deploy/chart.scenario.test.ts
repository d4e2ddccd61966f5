import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { type Installer, openInstallers } from './installers.ts';
import { ROOT } from './manifests.ts';
import { PROMETHEUS_RESOURCES } from './prometheus-resources.ts';

/** The chart on a real API server, without nodes that have its image. */

const CHART = 'charts/signalbox';
const CASES = readdirSync(join(ROOT, CHART, 'ci'));
/** Of the values in charts/signalbox/ci: where releases and jobs are. */
const NAMESPACES = ['signalbox-system', 'ml-team', 'team-a', 'team-b', 'vision', 'speech'];
/** Nothing here provides volumes. */
const WITHOUT_CLAIM = '--set=record.store=none';

let stage: Stage;
let helm: Installer;
let kubectl: Installer;
let folder: string;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  ({ helm, kubectl } = await openInstallers(stage.sandbox.kubeconfig));
  folder = await mkdtemp(join(tmpdir(), 'signalbox-chart-'));
  for (const name of NAMESPACES) await kubectl('create', 'namespace', name);
  for (const name of NAMESPACES)
    await kubectl('label', 'namespace', name, 'pod-security.kubernetes.io/enforce=restricted');
  for (const resource of PROMETHEUS_RESOURCES) {
    await apply('crd.json', JSON.stringify(resource));
    await kubectl('wait', '--for=condition=Established', `crd/${resource.metadata.name}`);
  }
}, 1_200_000);

afterAll(async () => {
  await kubectl('delete', 'namespace', ...NAMESPACES);
  await kubectl('delete', 'crd', ...PROMETHEUS_RESOURCES.map(({ metadata }) => metadata.name));
  await rm(folder, { recursive: true, force: true });
  await stage?.close();
});

async function apply(file: string, text: string, ...options: readonly string[]): Promise<string> {
  const path = join(folder, file);
  await writeFile(path, text);
  return kubectl('apply', '--validate=strict', ...options, '-f', path);
}

describe('the API server takes every object of', () => {
  it.each(CASES)('%s', async (file) => {
    const values = `--values=${CHART}/ci/${file}`;
    const text = await helm('template', 'signalbox', CHART, '-n', 'signalbox-system', '--skip-tests', values);
    const answer = await apply(file, text, '--dry-run=server');
    expect(answer.trim().split('\n').length).toBeGreaterThan(10);
    expect(answer).not.toMatch(/(?<! created) \(server dry run\)/);
  });
});

const install = (name: string, namespace: string, ...options: readonly string[]) =>
  helm('upgrade', '--install', name, CHART, '-n', namespace, ...options);

const namesOf = async (kind: string, namespace: string, release = 'signalbox') => {
  const labels = `--selector=app.kubernetes.io/instance=${release}`;
  const names = await kubectl('get', kind, '-n', namespace, labels, '--output=name');
  return names.trim().split('\n').filter(Boolean);
};

describe('a release in a namespace that enforces the restricted standard', () => {
  const namespace = 'signalbox-system';
  const address = '--set=temporal.address=temporal-frontend.temporal:7233';

  it('has its pods admitted, and says that it keeps no record', async () => {
    const notes = await install('signalbox', namespace, address, WITHOUT_CLAIM);
    expect(notes).toContain('WARNING: nothing is kept');
    expect(await namesOf('clusterrolebinding', namespace)).toContain(
      'clusterrolebinding.rbac.authorization.k8s.io/signalbox-worker',
    );
    expect(await namesOf('poddisruptionbudget', namespace)).toHaveLength(2);
    await eventually('its pods are admitted', async () => (await namesOf('pod', namespace)).length === 4);
  });

  it('refuses a second release for its task queue', async () => {
    await expect(install('another', namespace, address, WITHOUT_CLAIM)).rejects.toThrow(
      'the release signalbox in namespace signalbox-system already serves the task queue signalbox of this Temporal',
    );
    const elsewhere = ['--set=temporal.taskQueue=another', '--dry-run=server'];
    await install('another', namespace, address, WITHOUT_CLAIM, ...elsewhere);
  });

  it('gives up its rights in the cluster when it is to serve some namespaces, and has them back after a rollback', async () => {
    const ofCluster = await namesOf('clusterrolebinding', namespace);
    await install(
      'signalbox',
      namespace,
      '--reuse-values',
      '--set=jobs.namespaces={vision,speech}',
      '--set=clusterRights=false',
    );
    expect(await namesOf('clusterrole,clusterrolebinding', namespace)).toEqual([]);
    for (const served of ['vision', 'speech'])
      expect(await namesOf('rolebinding', served)).toEqual([
        'rolebinding.rbac.authorization.k8s.io/signalbox-watcher',
        'rolebinding.rbac.authorization.k8s.io/signalbox-worker',
      ]);
    await helm('rollback', 'signalbox', '1', '-n', namespace);
    expect(await namesOf('clusterrolebinding', namespace)).toEqual(ofCluster);
    for (const served of ['vision', 'speech']) expect(await namesOf('rolebinding', served)).toEqual([]);
  });

  it('can be rolled back and upgraded again after helm was killed', async () => {
    const kill = new AbortController();
    const mortal = await openInstallers(stage.sandbox.kubeconfig, kill.signal);
    const upgrade = [
      'upgrade',
      'signalbox',
      CHART,
      '-n',
      namespace,
      '--reuse-values',
      '--set=worker.replicas=3',
    ];
    const workers = () =>
      kubectl('get', 'deployment', 'signalbox-worker', '-n', namespace, '-o=jsonpath={.spec.replicas}');
    const upgraded = mortal.helm(...upgrade, '--wait').catch((error: Error) => error);
    await eventually('helm has changed the cluster, and waits', async () => (await workers()) === '3');
    kill.abort();
    expect(await upgraded).toBeInstanceOf(Error);
    await expect(helm(...upgrade)).rejects.toThrow(
      'another operation (install/upgrade/rollback) is in progress',
    );
    await helm('rollback', 'signalbox', '-n', namespace);
    expect(await workers()).toBe('2');
    await helm(...upgrade);
    expect(await workers()).toBe('3');
  });

  it('leaves nothing but its record', async () => {
    await helm('upgrade', 'signalbox', CHART, '-n', namespace, '--reuse-values', '--set=record.store=claim');
    await helm('uninstall', 'signalbox', '-n', namespace, '--wait');
    const kinds =
      'deployment,configmap,serviceaccount,role,rolebinding,clusterrole,clusterrolebinding,persistentvolumeclaim';
    expect(await namesOf(kinds, namespace)).toEqual(['persistentvolumeclaim/signalbox-record']);
    await eventually('its pods are gone', async () => (await namesOf('pod', namespace)).length === 0);
  });
});

describe('two teams on a cluster', () => {
  it('have releases side by side, each with rights in its own namespace', async () => {
    for (const team of ['team-a', 'team-b'])
      await install(team, team, `--values=${CHART}/ci/${team}-values.yaml`, WITHOUT_CLAIM);
    for (const team of ['team-a', 'team-b']) {
      expect(await namesOf('deployment', team, team)).toHaveLength(2);
      const account = `--as=system:serviceaccount:${team}:${team}-signalbox-worker`;
      const may = (namespace: string) =>
        kubectl('auth', 'can-i', 'create', 'pods', '-n', namespace, account).catch(() => 'no');
      expect([await may('team-a'), await may('team-b')].map((answer) => answer.trim())).toEqual(
        team === 'team-a' ? ['yes', 'no'] : ['no', 'yes'],
      );
    }
    for (const team of ['team-a', 'team-b']) await helm('uninstall', team, '-n', team);
  });
});
