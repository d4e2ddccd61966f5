import { beforeEach, describe, expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createMissing } from '../../../activities/create-attempt.ts';
import { createObjects } from '../../../activities/objects/create-objects.ts';
import { findUnlabelledPods, findUnlabelledServices } from '../../../activities/objects/find-unlabelled.ts';
import { metadataRestored } from '../../../activities/objects/lost-metadata.ts';
import { ApiError } from '../../../cluster/errors.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  POD_GROUPS,
  PODS,
  type Pod,
  type Resource,
  SERVICES,
} from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { renderAttempt, renderGroup } from '../../../resources/attempt.ts';
import { jobMetadata } from '../../../resources/metadata.ts';
import { aManifest } from '../../frameworks/manifests.ts';

const JOB = aManifest().job();
const OF_JOB = { job: JOB, anchorUid: 'anchor-1' };

const attempt = (number: number, anchorUid = 'anchor-1') =>
  renderAttempt(JOB, { number, anchorUid }, { gang: 'none', asGang: false });

/** What the API server has, by kind and name. */
let objects: Map<string, KubeObject>;
let reads: number;

const keyOf = ({ kind }: Pick<Resource, 'kind'>, name: string) => `${kind}/${name}`;

const cluster = {
  now: () => Date.now(),
  find: async (resource: Resource, _namespace: string, name: string) => {
    reads++;
    return objects.get(keyOf(resource, name));
  },
  create: async (resource: Resource, object: KubeObject) => {
    const key = keyOf(resource, object.metadata.name);
    if (!objects.has(key)) {
      objects.set(key, object);
      return object;
    }
    throw new ApiError('POST', { status: 409, reason: 'AlreadyExists', message: 'it exists' });
  },
  list: async ({ kind }: Resource) => ({
    items: [...objects.values()].filter((object) => object.kind === kind),
    metadata: {},
  }),
  delete: async (resource: Resource, _namespace: string, name: string) => {
    objects.delete(keyOf(resource, name));
  },
  patch: async (
    resource: Resource,
    { name }: { name: string },
    { metadata }: Pick<KubeObject, 'metadata'>,
  ) => {
    const before = objects.get(keyOf(resource, name))!;
    const labels = { ...before.metadata.labels, ...metadata.labels };
    const { ownerReferences = before.metadata.ownerReferences } = metadata;
    const after = { ...before, metadata: { ...before.metadata, labels, ownerReferences } };
    objects.set(keyOf(resource, name), after);
    return after;
  },
};

const tools = {
  ...{ cluster, connections: 5 },
  bulk: { run: <T>(work: () => Promise<T>) => work() },
} as never as Parameters<typeof createObjects>[0];

const aHostList = (): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { ...jobMetadata(JOB, 'anchor-1'), name: `${JOB.name}-hosts` },
});

const inActivity = <T>(work: () => Promise<T>) =>
  asyncLocalStorage.run({ cancellationSignal: new AbortController().signal } as Context, work);

const without = <T extends KubeObject>(object: T, ...lost: readonly string[]): T => {
  const kept = Object.entries(object.metadata.labels ?? {}).filter(([label]) => !lost.includes(label));
  return {
    ...object,
    metadata: { ...object.metadata, uid: object.metadata.name, labels: Object.fromEntries(kept) },
  };
};

const withoutOwners = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: object.metadata.name, ownerReferences: undefined },
});

const labelled = (pod: Pod, number: string) => ({ ...pod.metadata.labels, [LABELS.attempt]: number });

const put = (...all: readonly KubeObject[]) => {
  for (const object of all) objects.set(`${object.kind}/${object.metadata.name}`, object);
};

beforeEach(() => {
  objects = new Map();
  reads = 0;
});

describe('pods that lost their labels', () => {
  it.each([
    ['the label of the job', [LABELS.job]],
    ['all labels', Object.keys(attempt(2).pods[1]!.metadata.labels!)],
  ])('are found by their names, and get their labels back: %s', async (_what, lost) => {
    const [first, second, ...others] = attempt(2).pods;
    put(first!, without(second!, ...lost), ...others);
    const found = await inActivity(() => findUnlabelledPods(tools, OF_JOB, [first!, ...others]));
    expect(found.map(({ metadata }) => metadata.name)).toEqual([second!.metadata.name]);
    const { labels } = objects.get(`Pod/${second!.metadata.name}`)!.metadata;
    expect(labels).toEqual(second!.metadata.labels);
    expect(labels?.[LABELS.attempt]).toBe('2');
    expect(reads).toBe(1);
  });

  it('belong to the attempt in their environment, whatever their label says', async () => {
    const [pod] = attempt(2).pods;
    const edited = { ...pod!, metadata: { ...pod!.metadata, uid: 'pod-1', labels: labelled(pod!, '99') } };
    put(edited);
    const found = await inActivity(() => findUnlabelledPods(tools, OF_JOB, []));
    expect(found[0]?.metadata.labels).toEqual(pod!.metadata.labels);
  });

  it('of another job of the same name stay unchanged', async () => {
    put(...attempt(1, 'another').pods.map((pod) => without(pod, LABELS.job)));
    expect(await inActivity(() => findUnlabelledPods(tools, OF_JOB, []))).toEqual([]);
  });

  it('cost no request if every pod is listed', async () => {
    await inActivity(() => findUnlabelledPods(tools, OF_JOB, attempt(1).pods));
    expect(reads).toBe(0);
  });
});

it('Services that lost their labels are found by their names', async () => {
  const [first, ...others] = attempt(1).services;
  put(without(first!, LABELS.job), ...others);
  const found = await inActivity(() => findUnlabelledServices(tools, OF_JOB, others));
  expect(found.map(({ metadata }) => metadata.name)).toEqual([first!.metadata.name]);
});

it.each([
  ['the label of its role', LABELS.role],
  ['the label of its index', LABELS.index],
  ['its own name', LABELS.pod],
])(
  'a pod without %s counts as missing, although a list of the job finds it, and gets it back',
  async (_, lost) => {
    const [first, ...others] = attempt(1).pods;
    put(without(first!, lost), ...others.map((pod) => without(pod)));
    const { restored } = await inActivity(() => restoreMissing(attempt(1).pods));
    expect(objects.get(`Pod/${first!.metadata.name}`)?.metadata.labels).toEqual(first!.metadata.labels);
    expect(restored).toContain(`labels or owners were removed from Pod ${first!.metadata.name};`);
  },
);

const restoreMissing = (pods: readonly Pod[]) =>
  createMissing(
    tools,
    { ...OF_JOB, attempt: 1, gang: 'none', succeededIndices: {}, asGang: false },
    { objects: { shared: [], group: undefined, services: [], pods }, look: 'everything' },
  );

describe('an object that exists when it is created', () => {
  const create = (resource: Resource, object: KubeObject, relabelled: KubeObject[] = []) =>
    inActivity(() => createObjects(tools, [{ resource, object }], { relabelled }));

  it('gets its labels back, with an entry in the timeline', async () => {
    const [pod] = attempt(1).pods;
    const [service] = attempt(1).services;
    put(without(pod!, LABELS.job), without(service!, LABELS.job));
    const relabelled: KubeObject[] = [];
    const [made] = await create(PODS, pod!, relabelled);
    await create(SERVICES, service!, relabelled);
    expect(made!.metadata.labels).toEqual(pod!.metadata.labels);
    expect(objects.get(`Service/${service!.metadata.name}`)).toEqual(service);
    const name = pod!.metadata.name;
    expect(metadataRestored(relabelled).restored).toContain(
      `labels or owners were removed from Pod ${name}, Service ${name};`,
    );
  });

  it.each([
    ['Pod', PODS, () => attempt(1).pods[0]!],
    ['Service', SERVICES, () => attempt(1).services[0]!],
    ['PodGroup', POD_GROUPS, () => renderGroup(JOB, { number: 1, anchorUid: 'anchor-1' }, 'native')!],
    ['ConfigMap', CONFIG_MAPS, () => aHostList()],
  ] as const)('gets its owners back: %s', async (kind, resource, render) => {
    const wanted = render() as KubeObject;
    put(withoutOwners(wanted));
    const relabelled: KubeObject[] = [];
    await create(resource as Resource, wanted, relabelled);
    const { name, ownerReferences } = wanted.metadata;
    expect(ownerReferences).toHaveLength(1);
    expect(objects.get(`${kind}/${name}`)!.metadata.ownerReferences).toEqual(ownerReferences);
    expect(relabelled.map(({ metadata }) => metadata.name)).toEqual([name]);
  });

  it('is made anew if a job before has left it, and nobody owns it any more', async () => {
    const [old] = attempt(1, 'another').pods;
    put(withoutOwners(old!));
    await create(PODS, attempt(1).pods[0]!);
    expect(objects.get(`Pod/${old!.metadata.name}`)).toEqual(attempt(1).pods[0]);
  });

  it('is of somebody else if its name is not that of its labels', async () => {
    const [pod] = attempt(1).pods;
    const labels = { ...pod!.metadata.labels, [LABELS.pod]: 'another' };
    put({ ...withoutOwners(pod!), metadata: { ...withoutOwners(pod!).metadata, labels } });
    await expect(create(PODS, pod!)).rejects.toThrow('already exists and has no owner');
  });

  it('belongs to its own attempt, also without labels, and is found by a retry', async () => {
    const lost = Object.keys(attempt(1).pods[0]!.metadata.labels!);
    const [old] = attempt(1).pods as readonly Pod[];
    put(without(old!, ...lost));
    await expect(create(PODS, attempt(2).pods[0]!)).rejects.toThrow('of attempt 1 still exists');
    expect(objects.get(`Pod/${old!.metadata.name}`)!.metadata.labels?.[LABELS.job]).toBe(JOB.name);
  });
});
