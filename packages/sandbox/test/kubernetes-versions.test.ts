import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { signalbox } from '../../../test/cli/process.ts';
import {
  DEFAULT_KUBERNETES_VERSION,
  kubernetesOfEnvironment,
  kubernetesReleases,
  kubernetesVersions,
} from '../kubernetes-versions.ts';
import { sandboxLayout } from '../layout.ts';
import { explainPending, mergeOptions } from '../options.ts';
import { moduleFolder } from '../programs/build.ts';
import { programs, programsWith } from '../programs/registry.ts';
import { ensureSandbox } from '../sandbox.ts';
import { type Ports, portsSchema, writeState } from '../state.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

const ports = Object.fromEntries(
  Object.keys(portsSchema.shape).map((name, index) => [name, 20_000 + index]),
) as Ports;

afterAll(removeEmptyDirs);

describe('the programs of Kubernetes', () => {
  test.each(kubernetesVersions)('%s are built from its own module', async (version) => {
    const { release } = kubernetesReleases[version];
    const { kubelet, ...others } = programsWith(version);
    for (const program of [kubelet, others['kube-apiserver'], others['kube-scheduler']]) {
      expect(program.version).toBe(release);
      const pinned = await readFile(join(moduleFolder(program.build.module), 'go.mod'), 'utf8');
      expect(pinned).toContain(`k8s.io/kubernetes v${release} `);
      expect(pinned).toContain(`k8s.io/api => k8s.io/api v${release.replace('1.', '0.')}\n`);
    }
    expect(others.etcd).toBe(programs.etcd);
  });
});

test('the page lists what there is', async () => {
  const page = await readFile(new URL('../docs/sandbox.md', import.meta.url), 'utf8');
  for (const version of kubernetesVersions) {
    const { release, nativeGangs } = kubernetesReleases[version];
    const name = version === DEFAULT_KUBERNETES_VERSION ? `${version}, the default` : version;
    expect(page).toContain(
      `\n| ${name} | ${release} | ${nativeGangs ? `\`${nativeGangs.apiVersion}\`` : 'none'} |\n`,
    );
  }
});

describe('the version of a sandbox', () => {
  test('stays that of the last start, unless another one is asked for', () => {
    const first = mergeOptions({ kubernetes: '1.37' });
    expect(mergeOptions({}).kubernetes).toBe(DEFAULT_KUBERNETES_VERSION);
    expect(mergeOptions({}, first).kubernetes).toBe('1.37');
    expect(mergeOptions({ kubernetes: '1.36' }, first).kubernetes).toBe('1.36');
  });

  test('does not change while it runs', () => {
    const options = mergeOptions({ kubernetes: '1.37' });
    expect(explainPending({ kubernetes: '1.37' }, { options, ports })).toEqual([]);
    expect(explainPending({ kubernetes: '1.36' }, { options, ports })).toEqual([
      'the running sandbox and its data have Kubernetes 1.37: to change that, run `signalbox sandbox reset` first',
    ]);
  });

  test('is that of its data', async () => {
    const dir = await emptyDir();
    const layout = sandboxLayout(dir);
    await mkdir(layout.etcdData, { recursive: true });
    writeState(layout.state, {
      ...{ version: 1, phase: 'stopped', supervisor: { pid: 1, startTime: 'long ago' }, startedAt: '' },
      ...{ options: mergeOptions({ kubernetes: '1.37' }), ports, components: [] },
      ...{ kubeconfig: '', kubernetesUrl: '', temporalAddress: '', temporalUiUrl: '' },
    });
    await expect(ensureSandbox({ dir, kubernetes: '1.36' })).rejects.toMatchObject({
      message: `${dir}: Kubernetes 1.36 was asked for, but the data here are of Kubernetes 1.37`,
      remedy: expect.stringContaining('signalbox sandbox reset'),
    });
  });
});

describe('SIGNALBOX_SANDBOX_KUBERNETES', () => {
  test.each([
    [{}, undefined],
    [{ SIGNALBOX_SANDBOX_KUBERNETES: '' }, undefined],
    [{ SIGNALBOX_SANDBOX_KUBERNETES: '1.37' }, '1.37'],
  ])('%j asks for %s', (env, version) => {
    expect(kubernetesOfEnvironment(env)).toBe(version);
  });

  test('must be one of the versions that there are', () => {
    expect(() => kubernetesOfEnvironment({ SIGNALBOX_SANDBOX_KUBERNETES: '1.34' })).toThrow(
      'SIGNALBOX_SANDBOX_KUBERNETES: expected one of 1.35, 1.36, 1.37, got 1.34',
    );
  });
});

test('--kubernetes refuses a version that is not there, with the names of all', async () => {
  const { code, stderr } = await signalbox(['sandbox', 'up', '--kubernetes', '1.34']);
  expect(stderr).toMatch(/'1\.34' is invalid.*1\.35, 1\.36, 1\.37/);
  expect(code).toBe(2);
});
