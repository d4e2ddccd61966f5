import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Devices } from '../local-node/devices.ts';
import type { RunnableContainer } from '../local-node/fields.ts';
import { prepareLaunch } from '../local-node/launch.ts';
import { CreateContainerError, StartError } from '../local-node/launch-errors.ts';
import type { MountNamespace } from '../local-node/namespaces/mount-namespace.ts';
import type { NodeContext } from '../local-node/node-context.ts';
import type { PodSandbox } from '../local-node/pod-sandbox.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

let dir: string;
beforeEach(async () => {
  dir = await emptyDir();
  await mkdir(join(dir, 'volume'));
  await writeFile(join(dir, 'volume', 'tool'), '#!/bin/sh\n');
  await chmod(join(dir, 'volume', 'tool'), 0o755);
});
afterAll(removeEmptyDirs);

const says: MountNamespace = ({ hostname, cwd }, command) => [`${hostname}:${cwd}`, ...command];
const NO_MOUNTS = { why: 'darwin has no mount namespaces' };

/** A container with a volume at /opt/kube, on a machine with or without mount namespaces. */
function launch(container: Partial<RunnableContainer>, context: Partial<NodeContext> = {}, spec = {}) {
  const sandbox = {
    pod: { metadata: { name: 'p', namespace: 'ns' }, spec: { containers: [], ...spec } },
    ...{ address: '127.80.0.2', hostname: 'p', hostsFile: join(dir, 'hosts'), dir },
    references: { findValues: async () => undefined },
    volumes: { sourceOf: () => ({ path: join(dir, 'volume'), readOnly: false }) },
  } as unknown as PodSandbox;
  const facts = {
    hostIP: '127.0.0.1',
    allocatable: {},
    devices: new Devices([]),
    workdir: dir,
    resolvesNames: true,
    mountNamespace: says,
  };
  const volumeMounts = [{ name: 'kube', mountPath: '/opt/signalbox-kube' }];
  return prepareLaunch(
    { name: 'main', image: 'img:1', command: ['sh'], volumeMounts, ...container },
    sandbox,
    {
      ...facts,
      ...context,
    } as unknown as NodeContext,
  );
}

describe('the command of a container', () => {
  it.each<[string, Partial<RunnableContainer>, string[]]>([
    ['a program of a volume', { command: ['/opt/signalbox-kube/tool'] }, ['/opt/signalbox-kube/tool']],
    [
      'a program that PATH leads to in a volume',
      {
        command: ['tool', '$(A)'],
        env: [
          { name: 'PATH', value: '/opt/signalbox-kube' },
          { name: 'A', value: 'x' },
        ],
      },
      ['/opt/signalbox-kube/tool', 'x'],
    ],
  ])('is %s', async (_what, container, expected) => {
    expect((await launch(container)).argv.slice(1)).toEqual(expected);
  });

  it('runs in the workingDir of a volume, else where the node says', async () => {
    const at = async (workingDir: string) => (await launch({ workingDir })).argv[0];
    expect(await at('/opt/signalbox-kube')).toBe('p:/opt/signalbox-kube');
    expect(await at('/no/such/folder')).toBe(`p:${dir}`);
  });

  it('keeps the name of the machine on the network of the node', async () => {
    expect((await launch({}, {}, { hostNetwork: true })).argv[0]).toBe(`undefined:${dir}`);
  });

  it('is refused without a command', async () => {
    const message =
      'no command specified: the local node runs no images, so it does not know the entrypoint of img:1; container "main" needs a command';
    await expect(launch({ command: undefined })).rejects.toThrow(new CreateContainerError(message));
  });

  it('is refused with volumes where nothing can be mounted', async () => {
    const message =
      'volumes cannot be mounted at /opt/signalbox-kube: darwin has no mount namespaces; only a hostPath whose mountPath is its own path needs no mount';
    const without = { mountNamespace: NO_MOUNTS, resolvesNames: false };
    await expect(launch({}, without)).rejects.toThrow(new CreateContainerError(message));
  });

  it('is refused with a preStop hook where there are no PID namespaces', async () => {
    const lifecycle = { preStop: { exec: { command: ['kill', '-s', 'USR1', '1'] } } };
    const message =
      'a container with a preStop hook needs a PID namespace, so that process 1 is its own: darwin has no PID namespaces';
    const without = { pidNamespace: async () => ({ why: 'darwin has no PID namespaces' }) };
    await expect(launch({ lifecycle }, without)).rejects.toThrow(new CreateContainerError(message));
  });

  it('needs no mount for a hostPath at its own path', async () => {
    const volumeMounts = [{ name: 'kube', mountPath: join(dir, 'volume') }];
    const without = { mountNamespace: NO_MOUNTS, resolvesNames: false };
    const { argv, cwd } = await launch({ volumeMounts, workingDir: join(dir, 'volume') }, without);
    expect([argv[0], cwd]).toEqual([expect.stringMatching(/\/sh$/), join(dir, 'volume')]);
  });

  it('fails before it starts if the program does not exist', async () => {
    await expect(launch({ command: ['no-such-program'] })).rejects.toThrow(StartError);
  });
});
