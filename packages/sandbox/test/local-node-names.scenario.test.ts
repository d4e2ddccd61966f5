import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '../../../cluster/client.ts';
import { CONFIG_MAPS, EVENTS, PODS, type Pod, SERVICES } from '../../../contracts/kubernetes.ts';
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

const FOREVER = 'while :; do sleep 1; done';
const NEVER_READY = { exec: { command: ['false'] }, periodSeconds: 1 };
const isRunning = ({ status }: Pod) => status?.phase === 'Running';

/** Headless and without ports, like the Services of job controllers. */
function createService(name: string, publishNotReadyAddresses: boolean) {
  const metadata = { name, namespace: 'default' };
  const spec = { clusterIP: 'None', selector: { crew: name }, publishNotReadyAddresses };
  return client.create(SERVICES, { apiVersion: 'v1', kind: 'Service', metadata, spec });
}

function runMember(crew: string, name: string, readinessProbe?: object) {
  return client.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { crew } },
    spec: {
      hostname: name,
      subdomain: crew,
      containers: [{ name: 'main', image: 'ignored', command: ['sh', '-c', FOREVER], readinessProbe }],
    },
  });
}

/** Returns the address that a new pod resolves for each name. */
async function lookUp(asker: string, names: readonly string[], spec = {}): Promise<string[]> {
  const script = `const { lookup } = require('node:dns').promises;
    Promise.all(process.argv.slice(1).map((name) => lookup(name, 4).then((found) => found.address, () => 'unknown')))
      .then((found) => console.log(found.join(' ')));`;
  await pods.run(asker, '', spec, { command: ['node', '-e', script, ...names] });
  await pods.isPhase(asker, 'Succeeded');
  return (await pods.logOf(asker)).trim().split(' ');
}

describe('names in DNS', () => {
  it('of a pod with hostname and subdomain are known in all lengths, to itself too', async () => {
    await createService('crew', true);
    await runMember('crew', 'w-0', NEVER_READY);
    const address = (await pods.is('w-0', 'runs', isRunning)).status?.podIP as string;
    const member = [
      'w-0.crew',
      'w-0.crew.default',
      'w-0.crew.default.svc',
      'w-0.crew.default.svc.cluster.local',
    ];
    const service = ['crew', 'crew.default.svc', 'crew.default.svc.cluster.local'];
    const dnsConfig = { searches: ['crew.default.svc.cluster.local'] };
    const own = { hostname: 'asker', subdomain: 'crew', dnsConfig };
    const asked = [...member, ...service, 'w-0', 'asker', 'asker.crew.default.svc.cluster.local'];
    const found = await lookUp('asks-in-full', asked, own);
    const { podIP } = (await pods.get('asks-in-full')).status ?? {};
    expect(found).toEqual([...[...member, ...service, 'w-0'].map(() => address), podIP, podIP]);
  });

  it('of a Service lead to pods that are ready, unless it says otherwise', async () => {
    await createService('strict', false);
    await runMember('strict', 'unready-0', NEVER_READY);
    await pods.is('unready-0', 'runs', isRunning);
    expect(await lookUp('asks-strict', ['strict', 'unready-0.strict'])).toEqual(['unknown', 'unknown']);
    await runMember('strict', 'ready-0');
    const { podIP } =
      (await pods.is('ready-0', 'is ready', (pod) => mainOf(pod)?.ready === true)).status ?? {};
    expect(await lookUp('asks-again', ['strict', 'ready-0.strict'])).toEqual([podIP, podIP]);
  });
});

describe('a pod on the network of the node', () => {
  const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
  const ports = [{ containerPort: 23_456 }];

  it('has the address and the name of the node, and a warning event about it', async () => {
    await pods.run('host-0', 'echo $IP $(hostname); sleep 1000', { hostNetwork: true }, { env, ports });
    expect((await pods.is('host-0', 'runs', isRunning)).status?.podIP).toBe('127.0.0.1');
    const expected = `127.0.0.1 ${hostname()}\n`;
    await until('it has logged them', async () => (await pods.logOf('host-0')) === expected);
    await until('an event says so', async () => {
      const fieldSelector = 'involvedObject.name=host-0,reason=HostNetwork';
      const { items } = await client.list(EVENTS, { namespace: 'default', fieldSelector });
      return (items[0]?.message as string | undefined)?.includes('shares its ports');
    });
  });

  it('is not placed while another pod uses its host port', async () => {
    await pods.run('host-1', 'true', { hostNetwork: true }, { ports });
    const scheduled = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const pod = await pods.is('host-1', 'is refused', (p) => scheduled(p)?.status === 'False');
    expect(scheduled(pod)?.message).toContain("didn't have free ports");
    await client.delete(PODS, 'default', 'host-0', { gracePeriodSeconds: 0 });
    await pods.isPhase('host-1', 'Succeeded');
  });
});

describe('an init container that fails', () => {
  const failing = { name: 'first', image: 'ignored', command: ['sh', '-c', 'exit 7'] };

  it('fails a pod that is never restarted, and the others are not started', async () => {
    await pods.run('init-never', 'echo started', { initContainers: [failing] });
    const { status } = await pods.isPhase('init-never', 'Failed');
    expect(status?.initContainerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 7 });
    expect(status?.containerStatuses?.[0]?.state?.waiting).toEqual({ reason: 'PodInitializing' });
  });

  it.each(['OnFailure', 'Always'] as const)('is restarted where the policy is %s', async (restartPolicy) => {
    const name = `init-${restartPolicy.toLowerCase()}`;
    await pods.run(name, 'echo started', { initContainers: [failing], restartPolicy });
    const initOf = ({ status }: Pod) => status?.initContainerStatuses?.[0];
    const pod = await pods.is(
      name,
      'backs off',
      (p) => initOf(p)?.restartCount === 1 && initOf(p)?.state?.terminated !== undefined,
    );
    expect([pod.status?.phase, initOf(pod)?.restartCount]).toEqual(['Pending', 1]);
  });

  it('gets its environment and ConfigMaps', async () => {
    const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'init-later', key: 'x' } } }];
    const first = { ...failing, command: ['sh', '-c', 'echo $X'], env };
    await pods.run('init-waits', 'true', { initContainers: [first] });
    const waiting = await pods.is(
      'init-waits',
      'waits',
      ({ status }) =>
        status?.initContainerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError',
    );
    expect([waiting.status?.phase, waiting.status?.podIP]).toEqual([
      'Pending',
      expect.stringMatching(/^127\./),
    ]);
    const metadata = { name: 'init-later', namespace: 'default' };
    await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: 'there' } });
    await pods.isPhase('init-waits', 'Succeeded');
    expect(await pods.logOf('init-waits', { container: 'first' })).toBe('there\n');
  });
});

describe('when the local node restarts in another network', () => {
  it('a restarted pod has an address of that network', async () => {
    await pods.run('moves', FOREVER, { restartPolicy: 'Always' });
    await pods.is('moves', 'runs', isRunning);
    await cluster.end('SIGTERM');
    await cluster.start(['--pod-network', '127.41']);
    const moved = ({ status }: Pod) => status?.podIP?.startsWith('127.41.') ?? false;
    const pod = await pods.is(
      'moves',
      'has moved and runs',
      (p) => moved(p) && mainOf(p)?.restartCount === 1,
    );
    expect(pod.status?.podIPs).toEqual([{ ip: pod.status?.podIP }]);
  });
});
