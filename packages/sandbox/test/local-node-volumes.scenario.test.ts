import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../../cluster/client.ts';
import { CONFIG_MAPS, EVENTS, PODS, type Pod, SECRETS } from '../../../contracts/kubernetes.ts';
import { type LocalNodeCluster, startLocalNodeCluster } from './local-node-cluster.ts';
import { mainOf, type podsOf } from './local-node-pods.ts';
import { FIRST_RUN_MS, until } from './support.ts';

let cluster: LocalNodeCluster;
let client: ClusterClient;
let pods: ReturnType<typeof podsOf>;

beforeAll(async () => {
  cluster = await startLocalNodeCluster();
  ({ client, pods } = cluster);
}, FIRST_RUN_MS);

afterAll(() => cluster.remove());

const named = (name: string) => ({ name, namespace: 'default' });

function createConfigMap(name: string, data: Record<string, string>) {
  return client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: named(name), data });
}

function createSecret(name: string, stringData: Record<string, string>) {
  return client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: named(name), stringData });
}

async function eventsOf(pod: string, reason: string): Promise<string[]> {
  const fieldSelector = `involvedObject.name=${pod},reason=${reason}`;
  const { items } = await client.list(EVENTS, { namespace: 'default', fieldSelector });
  return items.map(({ message }) => message as string);
}

async function folderOf(pod: Pod): Promise<string> {
  const podsDir = join(cluster.dir, 'local-node', 'pods');
  const folder = (await readdir(podsDir)).find((name) => name.endsWith(`_${pod.metadata.uid}`));
  return join(podsDir, folder ?? 'none');
}

const logged = (name: string, text: string | RegExp) =>
  until(`${name} has logged ${text}`, async () => {
    const log = await pods.logOf(name).catch(() => '');
    return typeof text === 'string' ? log.includes(text) : text.test(log);
  });
const waitingOf = (pod: Pod) => mainOf(pod)?.state?.waiting;

describe('a pod with volumes', () => {
  it('finds ConfigMaps and Secrets where it mounts them, as an MPI launcher does', async () => {
    await createConfigMap('mpi', { hostfile: 'w-0 slots=1\n', 'kubexec.sh': 'echo "exec $1"' });
    await createSecret('ssh', { 'ssh-privatekey': 'private\n' });
    const script =
      '/etc/mpi/kubexec.sh w-0; cat /etc/mpi/hostfile /root/.ssh/id_signalbox; stat -Lc %a /root/.ssh/id_signalbox';
    const items = [
      { key: 'hostfile', path: 'hostfile', mode: 0o444 },
      { key: 'kubexec.sh', path: 'kubexec.sh', mode: 0o555 },
    ];
    const keys = [{ key: 'ssh-privatekey', path: 'id_signalbox' }];
    const volumes = [
      { name: 'config', configMap: { name: 'mpi', items } },
      { name: 'keys', secret: { secretName: 'ssh', defaultMode: 0o600, items: keys } },
    ];
    const volumeMounts = [
      { name: 'config', mountPath: '/etc/mpi' },
      { name: 'keys', mountPath: '/root/.ssh' },
    ];
    await pods.run('launcher', script, { volumes }, { volumeMounts });
    await pods.isPhase('launcher', 'Succeeded');
    expect(await pods.logOf('launcher')).toBe('exec w-0\nw-0 slots=1\nprivate\n600\n');
    expect([existsSync('/etc/mpi/kubexec.sh'), existsSync('/root/.ssh/id_signalbox')]).toEqual([
      false,
      false,
    ]);
  });

  it('shares an emptyDir with its init containers, until it has ended', async () => {
    const volumeMounts = [{ name: 'kube', mountPath: '/opt/kube' }];
    const command = [
      'sh',
      '-c',
      `printf '#!/bin/sh\necho delivered' > $TARGET/kubectl; chmod +x $TARGET/kubectl`,
    ];
    const env = [{ name: 'TARGET', value: '/opt/kube' }];
    const initContainers = [{ name: 'delivery', image: 'ignored', command, env, volumeMounts }];
    const volumes = [{ name: 'kube', emptyDir: {} }];
    await pods.run(
      'delivered',
      '',
      { volumes, initContainers },
      { volumeMounts, command: ['/opt/kube/kubectl'] },
    );
    const pod = await pods.isPhase('delivered', 'Succeeded');
    expect(await pods.logOf('delivered', { container: 'main' })).toBe('delivered\n');
    const folder = await folderOf(pod);
    await until('its emptyDir is gone', async () => !existsSync(join(folder, '.volumes')));
    expect(existsSync('/opt/kube/kubectl')).toBe(false);
  });

  it('leaves files in a hostPath that stay', async () => {
    const path = join(cluster.dir, 'made', 'here');
    const volumes = [{ name: 'host', hostPath: { path, type: 'DirectoryOrCreate' } }];
    const volumeMounts = [{ name: 'host', mountPath: '/data', subPath: 'run-1' }];
    await pods.run('lasting', 'echo result > /data/out', { volumes }, { volumeMounts });
    await pods.isPhase('lasting', 'Succeeded');
    expect(await readFile(join(path, 'run-1', 'out'), 'utf8')).toBe('result\n');
  });

  it('has no address while a ConfigMap and a Secret are missing, and an event says so', async () => {
    const sources = [{ configMap: { name: 'later-map' } }, { secret: { name: 'later-secret' } }];
    const volumes = [{ name: 'late', projected: { sources } }];
    const volumeMounts = [{ name: 'late', mountPath: '/late' }];
    await pods.run('late', 'cat /late/*', { volumes }, { volumeMounts });
    const says = (what: string) =>
      until(`an event names the ${what}`, async () =>
        (await eventsOf('late', 'FailedMount')).includes(
          `MountVolume.SetUp failed for volume "late" : ${what} not found`,
        ),
      );
    await says('configmap "later-map"');
    const { status } = await pods.get('late');
    expect([status?.phase, status?.podIP, mainOf({ status } as Pod)?.state?.waiting]).toEqual([
      'Pending',
      undefined,
      { reason: 'ContainerCreating' },
    ]);
    await createConfigMap('later-map', { a: 'one\n' });
    await says('secret "later-secret"');
    await createSecret('later-secret', { b: 'two\n' });
    await pods.isPhase('late', 'Succeeded');
    expect(await pods.logOf('late')).toBe('one\ntwo\n');
  });

  it('sees a ConfigMap change, except in a file mounted by subPath', async () => {
    await createConfigMap('scale', { hosts: 'one', fixed: 'one' });
    const volumes = [{ name: 'scale', configMap: { name: 'scale' } }];
    const volumeMounts = [
      { name: 'scale', mountPath: '/scale' },
      { name: 'scale', mountPath: '/fixed', subPath: 'fixed' },
    ];
    const script = 'while :; do echo "$(cat /scale/hosts /scale/fixed /fixed)"; sleep 0.1; done';
    await pods.run('elastic', script, { volumes }, { volumeMounts });
    await logged('elastic', 'oneoneone');
    await client.patch(CONFIG_MAPS, named('scale'), { data: { hosts: 'two', fixed: 'two' } });
    await logged('elastic', 'twotwoone');
  });

  it('says which volumes the local node cannot mount', async () => {
    const volumes = [{ name: 'far', nfs: { server: 'nowhere', path: '/' } }];
    await pods.run('far', 'true', { volumes }, { volumeMounts: [{ name: 'far', mountPath: '/far' }] });
    await until('an event names the kind', async () =>
      (await eventsOf('far', 'FailedMount')).some((message) => message.includes('no volumes of kind nfs')),
    );
    expect((await pods.get('far')).status?.phase).toBe('Pending');
  });

  it('can be deleted while it waits for its volumes', async () => {
    await client.delete(PODS, 'default', 'far');
    await pods.isGone('far');
  });

  it('finds its emptyDir again after a restart of the local node', async () => {
    const volumes = [{ name: 'kept', emptyDir: {} }];
    const volumeMounts = [{ name: 'kept', mountPath: '/kept' }];
    const script =
      'cat /kept/note 2>/dev/null; echo from before > /kept/note; echo noted; while :; do sleep 1; done';
    await pods.run('keeps', script, { volumes, restartPolicy: 'Always' }, { volumeMounts });
    await logged('keeps', 'noted');
    await cluster.end('SIGTERM');
    await cluster.start();
    await logged('keeps', /from before\nnoted/);
  });
});

describe('a pod of a job whose ConfigMap lists all pod addresses', () => {
  it('reports its address before its volumes exist, says why it waits, and starts soon after', async () => {
    const names = ['paddle-0', 'paddle-1'];
    const envFrom = [{ configMapRef: { name: 'paddle' } }];
    const env = [
      { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'ALL', value: '$(TRAINERS) of $(POD_IP)' },
    ];
    for (const name of names) await pods.run(name, 'date +%s%3N; echo "$ALL"', {}, { envFrom, env });
    const waiting = names.map((name) =>
      pods.is(
        name,
        'waits with an address',
        (pod) => !!pod.status?.podIP && waitingOf(pod)?.message !== undefined,
      ),
    );
    const addresses = (await Promise.all(waiting)).map((pod) => {
      expect(waitingOf(pod)).toEqual({
        reason: 'CreateContainerConfigError',
        message: 'configmap "paddle" not found',
      });
      return pod.status?.podIP;
    });
    const written = Date.now();
    await createConfigMap('paddle', { TRAINERS: addresses.join(',') });
    for (const [index, name] of names.entries()) {
      await pods.isPhase(name, 'Succeeded');
      const [started, all] = (await pods.logOf(name)).split('\n');
      expect(Number(started) - written).toBeLessThan(1_000);
      expect(all).toBe(`${addresses.join(',')} of ${addresses[index]}`);
    }
    expect(new Set(addresses).size).toBe(2);
  });

  it('starts soon after a missing key is added', async () => {
    await createConfigMap('keyed', { other: 'x' });
    const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'keyed', key: 'wanted' } } }];
    await pods.run('keyed', 'echo $X', {}, { env });
    await pods.is('keyed', 'waits', (pod) => waitingOf(pod)?.reason === 'CreateContainerConfigError');
    await client.patch(CONFIG_MAPS, named('keyed'), { data: { wanted: 'here' } });
    await pods.isPhase('keyed', 'Succeeded');
    expect(await pods.logOf('keyed')).toBe('here\n');
  });
});
