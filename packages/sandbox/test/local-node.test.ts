import { describe, expect, it } from '@jest/globals';
import type { PodStatus } from '../../../contracts/kubernetes.ts';
import { Addresses, networkOf } from '../local-node/addresses.ts';
import { backOffMs, goDuration } from '../local-node/back-off.ts';
import { baseEnvironment } from '../local-node/base-environment.ts';
import { MissingReferenceError, resolveEnvironment } from '../local-node/environment.ts';
import { expand } from '../local-node/expansion.ts';
import type { RunnableContainer, RunnablePod } from '../local-node/fields.ts';
import {
  ownLines,
  type PodEndpoint,
  type ServiceFacts,
  searchesOf,
  serviceEntries,
  sharedLines,
} from '../local-node/hosts-file.ts';
import { parseOptions } from '../local-node/options.ts';
import { recoverRecord } from '../local-node/recovery.ts';
import { type ContainerRecord, podStatus } from '../local-node/status.ts';

type PodStatusInput = Parameters<typeof podStatus>[0];

const NOW = '2026-01-02T03:04:05.000Z';

function podOf(spec: Partial<RunnablePod['spec']> = {}, status?: PodStatus): RunnablePod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'ns',
      uid: 'u1',
      labels: { 'a/b': 'label' },
      annotations: { note: 'text' },
    },
    spec: { containers: [{ name: 'main', command: ['true'] }], nodeName: 'local', ...spec },
    status,
  };
}

describe('$(VAR) in env values, commands and arguments', () => {
  it.each([
    ['$(A)', 'one'],
    ['x-$(A)-$(B)', 'x-one-two'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$one'],
    ['$$$$', '$$'],
    ['$(MISSING)', '$(MISSING)'],
    ['$(A', '$(A'],
    ['$A {A} $', '$A {A} $'],
    ['$()', '$()'],
    ['$(toString)', '$(toString)'],
  ])('%s becomes %s', (text, expected) => {
    expect(expand(text, { A: 'one', B: 'two' })).toBe(expected);
  });
});

describe('the environment of a container', () => {
  const stored = {
    'configmap conf': { A: 'from conf', LEVEL: '3', 'bad=key': 'x' },
    'secret keys': { TOKEN: 's3cret' },
  } as const satisfies Record<string, Record<string, string>>;

  function resolve(container: Partial<RunnableContainer>) {
    return resolveEnvironment(
      {
        pod: podOf(),
        container: { name: 'main', ...container },
        addresses: { podIP: '127.80.0.2', hostIP: '127.0.0.1' },
        allocatable: { cpu: '16', memory: '64Gi' },
      },
      async (kind, name) => (stored as Record<string, Record<string, string>>)[`${kind} ${name}`],
    );
  }

  it('takes envFrom first, with its prefix, and env over it', async () => {
    const env = await resolve({
      envFrom: [{ configMapRef: { name: 'conf' } }, { prefix: 'K_', secretRef: { name: 'keys' } }],
      env: [{ name: 'A', value: 'own' }],
    });
    expect(env).toEqual({ A: 'own', LEVEL: '3', K_TOKEN: 's3cret' });
  });

  it('lets a value refer only to variables defined before it', async () => {
    const env = await resolve({
      envFrom: [{ configMapRef: { name: 'conf' } }],
      env: [
        { name: 'FIRST', value: '$(LEVEL) $(SECOND)' },
        { name: 'SECOND', value: '<$(FIRST)>' },
      ],
    });
    expect(env).toMatchObject({ FIRST: '3 $(SECOND)', SECOND: '<3 $(SECOND)>' });
  });

  it.each([
    ['metadata.name', 'p'],
    ['metadata.namespace', 'ns'],
    ['metadata.uid', 'u1'],
    ["metadata.labels['a/b']", 'label'],
    ["metadata.annotations['note']", 'text'],
    ['spec.nodeName', 'local'],
    ['status.podIP', '127.80.0.2'],
    ['status.hostIP', '127.0.0.1'],
  ])('fills in the field %s', async (fieldPath, expected) => {
    expect(await resolve({ env: [{ name: 'X', valueFrom: { fieldRef: { fieldPath } } }] })).toEqual({
      X: expected,
    });
  });

  it.each([
    [{ resource: 'limits.memory', divisor: '1Mi' }, '2048'],
    [{ resource: 'requests.cpu' }, '1'],
    [{ resource: 'requests.cpu', divisor: '1m' }, '500'],
    [{ resource: 'limits.cpu' }, '16'],
  ])('fills in the resource %j', async (resourceFieldRef, expected) => {
    const resources = { requests: { cpu: '500m' }, limits: { memory: '2Gi' } };
    const env = [{ name: 'X', valueFrom: { resourceFieldRef } }];
    expect(await resolve({ resources, env })).toEqual({ X: expected });
  });

  it.each([
    [{ configMapRef: { name: 'later' } }, 'configmap "later" not found'],
    [{ secretRef: { name: 'later' } }, 'secret "later" not found'],
  ])('waits for what %j refers to', async (source, message) => {
    await expect(resolve({ envFrom: [source] })).rejects.toThrow(new MissingReferenceError(message));
  });

  it('reports a missing key, and ignores a missing optional one', async () => {
    const of = (optional?: boolean) => ({
      env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'conf', key: 'nope', optional } } }],
    });
    await expect(resolve(of())).rejects.toThrow("couldn't find key nope in ConfigMap ns/conf");
    expect(await resolve(of(true))).toEqual({});
  });

  it('inherits only paths and the locale from the parent process', () => {
    const env = baseEnvironment('p', { PATH: '/bin', HOME: '/home/me', AWS_SECRET_ACCESS_KEY: 'x' });
    expect(Object.keys(env).sort()).toEqual(['HOME', 'HOSTNAME', 'PATH']);
    expect(env.PATH).toMatch(/:\/bin$/);
  });
});

describe('back-off', () => {
  it('restarts at once, then after 10 s, doubled up to 5 min', () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(backOffMs(waits.at(-1), 1_000));
    expect(waits.map((ms) => ms / 1000)).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });

  it('starts again at 0 after ten minutes of running', () => {
    expect(backOffMs(300_000, 600_000)).toBe(0);
  });

  it.each([
    [20_000, '20s'],
    [80_000, '1m20s'],
    [300_000, '5m0s'],
  ])('%d ms reads %s', (ms, expected) => {
    expect(goDuration(ms)).toBe(expected);
  });
});

describe('addresses', () => {
  it('are unique, and a released one is used again last', () => {
    const addresses = new Addresses('127.80');
    const first = addresses.allocate();
    addresses.release(first);
    expect([first, addresses.allocate()]).toEqual(['127.80.0.2', '127.80.0.3']);
  });

  it('skips addresses that pods already have', () => {
    const addresses = new Addresses('127.80');
    expect([addresses.reserve('127.80.0.2'), addresses.reserve('127.80.0.2')]).toEqual([true, false]);
    expect(addresses.reserve('10.0.0.1')).toBe(false);
    expect(addresses.allocate()).toBe('127.80.0.3');
  });

  it('are in a network that is derived from the folder', () => {
    expect(networkOf('/a')).toBe(networkOf('/a'));
    expect(networkOf('/a')).toMatch(/^127\.(6[4-9]|[7-9]\d|1\d\d|2[0-4]\d|25[0-3])$/);
  });
});

describe('a hosts file', () => {
  const master: PodEndpoint = {
    namespace: 'ns',
    name: 'm-0',
    labels: { job: 'm', role: 'master' },
    address: '127.80.0.2',
    ready: true,
  };
  const worker = { ...master, name: 'w-0', labels: { job: 'm' }, address: '127.80.0.10', ready: false };
  const service: ServiceFacts = {
    namespace: 'ns',
    name: 'm',
    selector: { job: 'm' },
    publishNotReadyAddresses: false,
  };

  it('gives a Service its ready pods, under four names', () => {
    expect(sharedLines(serviceEntries([service], [worker, master]), searchesOf('ns'))).toBe(
      '127.80.0.2\tm m.ns m.ns.svc m.ns.svc.cluster.local\n',
    );
  });

  it('lists pods that are not ready only where the Service says so', () => {
    const published = { ...service, publishNotReadyAddresses: true };
    const addresses = serviceEntries([published], [worker, master]).map(({ address }) => address);
    expect(addresses).toEqual(['127.80.0.2', '127.80.0.10']);
  });

  it('keeps short names to their own namespace', () => {
    expect(sharedLines(serviceEntries([service], [master]), searchesOf('other'))).toBe(
      '127.80.0.2\tm.ns m.ns.svc m.ns.svc.cluster.local\n',
    );
  });

  it('is searched for short names where `dnsConfig` says, too', () => {
    const crew = { ...master, hostname: 'w-0', subdomain: 'm' };
    const lines = sharedLines(
      serviceEntries([service], [crew]),
      searchesOf('other', ['m.ns.svc.cluster.local']),
    );
    expect(lines.split('\n')[1]).toBe('127.80.0.2\tw-0.m.ns w-0.m.ns.svc w-0 w-0.m.ns.svc.cluster.local');
  });

  it('leaves out Services without selector and pods of other namespaces', () => {
    expect(serviceEntries([{ ...service, selector: {} }], [master])).toEqual([]);
    expect(serviceEntries([service], [{ ...master, namespace: 'other' }])).toEqual([]);
  });

  it('names a pod by hostname and subdomain', () => {
    const pod = { ...master, hostname: 'zero', subdomain: 'm' };
    expect(serviceEntries([service], [pod]).map(({ name }) => name)).toEqual(['m', 'zero.m']);
  });

  it('begins with the machine, the pod and its aliases', () => {
    const own = ownLines({ address: '127.80.0.2', names: ['m-0'] }, [
      { ip: '10.0.0.9', hostnames: ['db', 'db.x'] },
    ]);
    expect(own.split('\n').slice(1)).toEqual([
      '127.0.0.1\tlocalhost',
      '127.80.0.2\tm-0',
      '10.0.0.9\tdb db.x',
      '',
    ]);
  });
});

describe('the status of a pod', () => {
  const container = (change: Partial<ContainerRecord> = {}): ContainerRecord => ({
    name: 'main',
    image: 'i',
    state: { waiting: { reason: 'ContainerCreating' } },
    restarts: 0,
    ready: false,
    ...change,
  });
  const running = { state: { running: { startedAt: NOW } }, ready: true };
  const ended = (exitCode: number) => ({ state: { terminated: { exitCode } } });
  const over = { ended: true, finished: true };
  const statusOf = (facts: Partial<PodStatusInput>, before?: PodStatus, now = NOW) =>
    podStatus(
      {
        pod: podOf({ restartPolicy: 'OnFailure' }),
        inits: [],
        apps: [container()],
        address: '127.80.0.2',
        hostIP: '127.0.0.1',
        startTime: NOW,
        ended: false,
        finished: false,
        ...facts,
      },
      before,
      now,
    );
  const conditionOf = (status: PodStatus, type: string) => status.conditions?.find((c) => c.type === type);

  it.each<[string, Partial<PodStatusInput>, string]>([
    ['nothing has started', {}, 'Pending'],
    ['an init container runs', { inits: [container(running)] }, 'Pending'],
    ['it runs', { apps: [container(running)] }, 'Running'],
    ['one runs and one waits for its ConfigMap', { apps: [container(running), container()] }, 'Pending'],
    [
      'it backs off',
      { apps: [container({ state: { waiting: {} }, last: { terminated: { exitCode: 1 } } })] },
      'Running',
    ],
    ['all have succeeded', { apps: [container(ended(0))], ...over }, 'Succeeded'],
    ['one has failed for good', { apps: [container(ended(0)), container(ended(3))], ...over }, 'Failed'],
  ])('when %s: its phase', (_when, facts, phase) => {
    expect(statusOf(facts).phase).toBe(phase);
  });

  it.each([
    [0, 'PodCompleted', 'Succeeded'],
    [143, 'PodFailed', 'Failed'],
  ])('has containers that ended with %d before the pod has its final phase', (exitCode, reason, phase) => {
    const before = statusOf({ apps: [container(running)] });
    const facts = { apps: [container(ended(exitCode))], ended: true };
    const first = statusOf(facts, before);
    expect(first.phase).toBe('Running');
    expect(conditionOf(first, 'Ready')).toMatchObject({ status: 'False', reason });
    expect(statusOf({ ...facts, finished: true }, first).phase).toBe(phase);
  });

  it('is Ready while it terminates, until its containers have ended', () => {
    const pod = podOf();
    const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: NOW } };
    const status = statusOf({ pod: deleted, apps: [container(running)] });
    expect(conditionOf(status, 'Ready')?.status).toBe('True');
  });

  it('says which containers are not ready', () => {
    expect(conditionOf(statusOf({}), 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [main]',
    });
  });

  it('keeps the time of a condition that did not change', () => {
    const before = statusOf({});
    const after = statusOf({ apps: [container(running)] }, before, '2026-01-02T04:00:00.000Z');
    expect(conditionOf(after, 'Initialized')?.lastTransitionTime).toBe(NOW);
    expect(conditionOf(after, 'Ready')?.lastTransitionTime).toBe('2026-01-02T04:00:00.000Z');
  });

  it('names the deadline that ended it', () => {
    const cause = { reason: 'DeadlineExceeded', message: 'too long' };
    expect(statusOf({ apps: [container(ended(143))], ...over, cause })).toMatchObject({
      phase: 'Failed',
      ...cause,
    });
  });

  it('reports a process that was lost with the node as killed', () => {
    const status: PodStatus = {
      phase: 'Running',
      containerStatuses: [{ name: 'main', restartCount: 2, state: { running: { startedAt: NOW } } }],
    };
    const { containers } = podOf().spec;
    expect(recoverRecord(containers[0] as RunnableContainer, 'app', podOf({}, status))).toMatchObject({
      restarts: 2,
      state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: NOW } },
    });
  });
});

describe('the flags', () => {
  it('have defaults that follow from the kubeconfig and the folder', () => {
    const options = parseOptions(['--kubeconfig', '/s/kubeconfig', '--dir', '/s/node']);
    expect(options).toMatchObject({
      nodeName: 'local',
      tlsCertFile: '/s/credentials/kube-apiserver/apiserver.crt',
      names: 'private',
      podNetwork: networkOf('/s/node'),
    });
    expect(options.gpus).toBeUndefined();
  });

  it('collect resources and labels', () => {
    const args = ['--resource', 'amd.com/gpu=2', '--resource', 'x/y=1', '--label', 'zone=a'];
    const options = parseOptions(['--kubeconfig', 'k', '--dir', 'd', ...args]);
    expect([options.resource, options.label]).toEqual([{ 'amd.com/gpu': '2', 'x/y': '1' }, { zone: 'a' }]);
  });
});
