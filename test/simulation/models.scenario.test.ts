import { randomUUID } from 'node:crypto';
import { setInterval } from 'node:timers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterClient } from '../../cluster/client.ts';
import { ApiError, unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { CONFIG_MAPS, type ConfigMap, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { ApiNetwork } from './api-network.ts';
import { ModelApiServer } from './api-server.ts';
import { ModelLogs } from './logs.ts';
import { ModelProcess } from './process.ts';

/** The same requests, at a real API server and at the model that the simulation has of it. */

interface Server {
  readonly cluster: ClusterClient;
  readonly namespace: string;
}

let stage: Stage;
let model: Server;
let pump: NodeJS.Timeout;

beforeAll(async () => {
  stage = await openStage();
  const network = new ApiNetwork(new ModelApiServer(Math.random), new ModelLogs());
  const access = { server: 'model', namespace: 'default', tls: async () => ({}), headers: async () => ({}) };
  const transport = network.connect(new ModelProcess('worker', 1));
  model = { cluster: new ClusterClient(access, {}, transport), namespace: stage.namespace };
  pump = setInterval(() => {
    for (const step of network.steps()) void step.run();
    network.server.collectGarbage();
  }, 1);
});

afterAll(async () => {
  clearInterval(pump);
  await stage?.close();
});

const aConfigMap = (name: string, fields: Partial<ConfigMap['metadata']> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: stage.namespace, ...fields },
  data: { one: '1', two: '2' },
});

const aPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: stage.namespace },
  spec: {
    schedulerName: 'nobody',
    containers: [{ name: 'main', image: 'none' }],
  } as Pod['spec'],
});

/** What an API server refuses with. */
const refusalOf = (request: Promise<unknown>) =>
  request.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.reason}` : String(error)),
  );

const aName = () => `case-${randomUUID().slice(0, 8)}`;

describe.each([
  ['the API server', () => stage as Server],
  ['its model', () => model],
])('%s', (_, server) => {
  const cases = () => ({ ...server(), name: aName() });

  it('accepts only one object of a name', async () => {
    const { cluster, name } = cases();
    await cluster.create(CONFIG_MAPS, aConfigMap(name));
    expect(await refusalOf(cluster.create(CONFIG_MAPS, aConfigMap(name)))).toBe('409 AlreadyExists');
  });

  it('merges a patch, and refuses one for another uid', async () => {
    const { cluster, namespace, name } = cases();
    const { metadata } = await cluster.create(CONFIG_MAPS, aConfigMap(name));
    const patch = (uid: string | undefined, data: object) =>
      cluster.patch(CONFIG_MAPS, { namespace, name }, { metadata: { uid }, data });
    expect((await patch(metadata.uid, { one: null, three: '3' })).data).toEqual({ two: '2', three: '3' });
    expect(await refusalOf(patch(randomUUID(), {}).catch(unlessGoneOrReplaced))).toBe('accepted');
    expect(await refusalOf(patch(randomUUID(), {}))).toBe('422 Invalid');
    expect(await refusalOf(cluster.patch(CONFIG_MAPS, { namespace, name: aName() }, {}))).toBe(
      '404 NotFound',
    );
  });

  it('takes a JSON patch whose tests hold, and refuses any other', async () => {
    const { cluster, namespace, name } = cases();
    await cluster.create(CONFIG_MAPS, aConfigMap(name, { labels: { a: '1' } }));
    const patch = (one: string, label: string) => {
      const operations = [
        { op: 'test', path: '/data/one', value: one },
        { op: 'add', path: '/metadata/labels/a~1b', value: label },
      ];
      return cluster.patch(CONFIG_MAPS, { namespace, name }, operations, 'json');
    };
    expect((await patch('1', 'x')).metadata.labels).toMatchObject({ 'a/b': 'x' });
    expect(await refusalOf(patch('2', 'y'))).toBe('422 Invalid');
    const { data, metadata } = await cluster.get(CONFIG_MAPS, namespace, name);
    expect([data?.one, metadata.labels?.['a/b']]).toEqual(['1', 'x']);
  });

  it('writes nothing for a patch that changes nothing', async () => {
    const { cluster, namespace, name } = cases();
    const { metadata } = await cluster.create(CONFIG_MAPS, aConfigMap(name));
    const after = await cluster.patch(CONFIG_MAPS, { namespace, name }, { data: { one: '1' } });
    expect(after.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('deletes by uid', async () => {
    const { cluster, namespace, name } = cases();
    const { metadata } = await cluster.create(CONFIG_MAPS, aConfigMap(name));
    const remove = (uid: string | undefined) => cluster.delete(CONFIG_MAPS, namespace, name, { uid });
    expect(await refusalOf(remove(randomUUID()))).toBe('409 Conflict');
    await remove(metadata.uid);
    expect(await refusalOf(remove(metadata.uid))).toBe('404 NotFound');
  });

  it.each([
    ['job', ['a', 'b', 'c']],
    ['job=x', ['a']],
    ['job in (x,y)', ['a', 'b']],
    ['job,!role', ['a', 'c']],
  ])('selects by labels: %s', async (selector, expected) => {
    const { cluster, namespace, name } = cases();
    const labels = { a: { job: 'x' }, b: { job: 'y', role: 'r' }, c: { job: 'z' }, d: {} };
    for (const [suffix, own] of Object.entries(labels))
      await cluster.create(CONFIG_MAPS, aConfigMap(`${name}-${suffix}`, { labels: { ...own, of: name } }));
    const { items } = await cluster.list(CONFIG_MAPS, { namespace, labelSelector: `of=${name},${selector}` });
    expect(items.map(({ metadata }) => metadata.name.slice(name.length + 1)).sort()).toEqual(expected);
  });

  it('sends a deletion to a watch with a label selector when an object loses the label', async () => {
    const { cluster, namespace, name } = cases();
    const { metadata } = await cluster.list(CONFIG_MAPS, { namespace });
    const seen: string[] = [];
    const stop = new AbortController();
    const watch = { namespace, labelSelector: `of=${name}`, ...metadata, signal: stop.signal };
    const watching = (async () => {
      for await (const { type } of cluster.watch(CONFIG_MAPS, watch))
        if (type !== 'BOOKMARK') seen.push(type);
    })().catch(() => undefined);
    await cluster.create(CONFIG_MAPS, aConfigMap(name, { labels: { of: name } }));
    const label = (of: string | null) =>
      cluster.patch(CONFIG_MAPS, { namespace, name }, { metadata: { labels: { of } } });
    await label(null);
    await label(name);
    await eventually('all is reported', () => seen.length === 3);
    expect(seen).toEqual(['ADDED', 'DELETED', 'ADDED']);
    stop.abort();
    await watching;
  });

  it('deletes what an object owns, before it if asked to', async () => {
    const { cluster, namespace, name } = cases();
    for (const policy of ['Background', 'Foreground'] as const) {
      const { metadata } = await cluster.create(CONFIG_MAPS, aConfigMap(`${name}-owner`));
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid! };
      const owned = { ...owner, blockOwnerDeletion: true };
      await cluster.create(CONFIG_MAPS, aConfigMap(`${name}-owned`, { ownerReferences: [owned] }));
      await cluster.delete(CONFIG_MAPS, namespace, metadata.name, { propagationPolicy: policy });
      const find = (suffix: string) => cluster.find(CONFIG_MAPS, namespace, `${name}-${suffix}`);
      await eventually('both are gone', async () => !(await find('owned')) && !(await find('owner')));
    }
  });

  it('keeps an object with a finalizer until that is removed', async () => {
    const { cluster, namespace, name } = cases();
    await cluster.create(CONFIG_MAPS, aConfigMap(name, { finalizers: ['example.com/held'] }));
    await cluster.delete(CONFIG_MAPS, namespace, name);
    expect((await cluster.find(CONFIG_MAPS, namespace, name))?.metadata.deletionTimestamp).toBeDefined();
    await cluster.patch(CONFIG_MAPS, { namespace, name }, { metadata: { finalizers: null } });
    expect(await cluster.find(CONFIG_MAPS, namespace, name)).toBeUndefined();
  });

  it('deletes a pod without a node at once, with any grace period', async () => {
    const { cluster, namespace, name } = cases();
    await cluster.create(PODS, aPod(name));
    await cluster.delete(PODS, namespace, name, { gracePeriodSeconds: 30 });
    expect(await cluster.find(PODS, namespace, name)).toBeUndefined();
  });
});
