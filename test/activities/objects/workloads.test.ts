import { describe, expect, it } from '@jest/globals';
import { askForQuota, tellReadiness } from '../../../activities/objects/workloads.ts';
import { returnQuota } from '../../../activities/return-quota.ts';
import type { Dependencies } from '../../../activities/support/dependencies.ts';
import { ApiError } from '../../../cluster/errors.ts';
import type { Condition, KubeObject, Resource } from '../../../contracts/kubernetes.ts';
import { renderGroup } from '../../../resources/attempt.ts';
import { aManifest } from '../../frameworks/manifests.ts';
import { aCondition } from '../../gang/groups.ts';

const OWNER = 'anchor-uid';

/** One namespace of an API server: objects by kind and name. Merge patches, as far as they are sent. */
class Objects {
  readonly #objects = new Map<string, KubeObject>();
  readonly writes: string[] = [];
  #version = 0;

  get dependencies(): Dependencies {
    const cluster = {
      find: async ({ kind }: Resource, _: unknown, name: string) => this.at(kind, name),
      get: async ({ kind }: Resource, _: unknown, name: string) => {
        const found = this.at(kind, name);
        if (!found)
          throw new ApiError('GET', { status: 404, reason: 'NotFound', message: `no ${kind} ${name}` });
        return found;
      },
      list: async ({ kind }: Resource) => ({
        metadata: {},
        items: [...this.#objects.values()].filter((one) => one.kind === kind),
      }),
      create: async (_: Resource, object: KubeObject) => this.put(object, 'create'),
      delete: async ({ kind }: Resource, _: unknown, name: string) => {
        this.writes.push(`delete ${kind}`);
        this.#objects.delete(`${kind}/${name}`);
      },
      patch: async ({ kind }: Resource, { name, subresource = '' }: Target, patch: Partial<KubeObject>) => {
        const before = this.at(kind, name)!;
        if (patch.metadata?.resourceVersion !== before.metadata.resourceVersion)
          throw new ApiError('PATCH', { status: 409, reason: 'Conflict', message: 'it has changed' });
        const { labels, annotations } = patch.metadata ?? {};
        const metadata = {
          ...before.metadata,
          labels: { ...before.metadata.labels, ...labels },
          annotations: { ...before.metadata.annotations, ...annotations },
        };
        const spec = patch.spec ?? before.spec;
        const status = { ...(before.status as object), ...(patch.status as object) };
        return this.put({ ...before, metadata, spec, status }, `patch ${subresource}`.trim());
      },
    };
    return { cluster, clusterId: async () => undefined } as unknown as Dependencies;
  }

  at(kind: string, name: string): KubeObject | undefined {
    return this.#objects.get(`${kind}/${name}`);
  }

  put(object: KubeObject, how?: string): KubeObject {
    const { uid = `uid-${++this.#version}` } = object.metadata;
    const metadata = { ...object.metadata, uid, resourceVersion: String(++this.#version) };
    if (how) this.writes.push(`${how} ${object.kind}`);
    this.#objects.set(`${object.kind}/${metadata.name}`, { ...object, metadata });
    return { ...object, metadata };
  }

  get workload(): KubeObject {
    return this.at('Workload', 'resnet')!;
  }

  /** Kueue writes a status. */
  says(...conditions: readonly Condition[]): void {
    this.put({ ...this.workload, status: { conditions, admission: { clusterQueue: 'cluster' } } });
  }

  /** Pods of an attempt have succeeded. */
  ends(attempt: number, role: string, pods: number): void {
    for (let index = 0; index < pods; index++) {
      const name = `resnet-${role}-${index}`;
      const labels = { 'signalbox.dev/attempt': String(attempt), 'signalbox.dev/role': role };
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: OWNER }];
      this.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels, ownerReferences } });
    }
  }

  condition(type: string): Condition | undefined {
    const { conditions } = this.workload.status as { readonly conditions: readonly Condition[] };
    return conditions.find((one) => one.type === type);
  }
}

interface Target {
  readonly name: string;
  readonly subresource?: string;
}

const queued = (labels: object = {}) =>
  aManifest().with('metadata.labels', { 'kueue.x-k8s.io/queue-name': 'team', ...labels });

const ask = (objects: Objects, attempt: number, manifest = queued()) => {
  const job = manifest.job();
  const wanted = renderGroup(job, { number: attempt, anchorUid: OWNER }, 'kueue')!;
  return askForQuota(objects.dependencies, { job, anchorUid: OWNER, wanted });
};

const ADMITTED = [aCondition('QuotaReserved', 1), aCondition('Admitted', 2)];
const evicted = (reason: string) => [
  ...ADMITTED,
  aCondition('Evicted', 3, { reason, message: 'for others' }),
];
const aClass = (kind: string, name: string, fields: object): KubeObject => ({
  ...{ apiVersion: 'v1', kind, metadata: { name } },
  ...fields,
});

async function asked(): Promise<Objects> {
  const objects = new Objects();
  await ask(objects, 1);
  objects.writes.length = 0;
  return objects;
}

describe('a job that asks Kueue for quota', () => {
  it('creates a Workload that belongs to it, and does so once', async () => {
    const objects = new Objects();
    await ask(objects, 1);
    await ask(objects, 1);
    expect(objects.writes).toEqual(['create Workload']);
    expect(objects.workload).toMatchObject({
      metadata: { labels: { 'signalbox.dev/attempt': '1' } },
      spec: { queueName: 'team', priority: 0 },
    });
    expect(objects.workload.metadata.ownerReferences).toMatchObject([{ uid: OWNER, controller: true }]);
  });

  it('has the priority of a class of Kueue, else that of its pods, else the default', async () => {
    const specOf = async (manifest = queued()) => {
      const objects = new Objects();
      objects.put(aClass('WorkloadPriorityClass', 'urgent', { value: 1000 }));
      objects.put(aClass('PriorityClass', 'high', { value: 100 }));
      objects.put(aClass('PriorityClass', 'usual', { value: 10, globalDefault: true }));
      await ask(objects, 1, manifest);
      return objects.workload.spec;
    };
    const ofPods = queued().role('Worker', 'template.spec.priorityClassName', 'high');
    expect(await specOf(queued({ 'kueue.x-k8s.io/priority-class': 'urgent' }))).toMatchObject({
      priority: 1000,
      priorityClassRef: { group: 'kueue.x-k8s.io', kind: 'WorkloadPriorityClass', name: 'urgent' },
    });
    expect(await specOf(ofPods)).toMatchObject({
      priority: 100,
      priorityClassRef: { group: 'scheduling.k8s.io', kind: 'PriorityClass', name: 'high' },
    });
    expect(await specOf()).toMatchObject({ priority: 10, priorityClassRef: { name: 'usual' } });
    await expect(specOf(queued({ 'kueue.x-k8s.io/priority-class': 'none' }))).rejects.toThrow(
      /no WorkloadPriorityClass none/,
    );
  });

  it('keeps its quota for the next attempt', async () => {
    const objects = await asked();
    objects.says(...ADMITTED);
    await ask(objects, 2);
    expect(objects.writes).toEqual(['patch Workload']);
    expect(objects.workload.metadata.labels).toMatchObject({ 'signalbox.dev/attempt': '2' });
    expect(objects.workload.status).toMatchObject({
      conditions: ADMITTED,
      admission: { clusterQueue: 'cluster' },
    });
  });

  it.each([
    ['Preempted', 'True'],
    ['PodsReadyTimeout', 'False'],
    ['Deactivated', 'False'],
  ])('gives back what Kueue takes (%s), before its next attempt has a name', async (reason, requeued) => {
    const objects = await asked();
    objects.says(...evicted(reason), aCondition('PodsReady', 2));
    await ask(objects, 2);
    expect(objects.writes).toEqual(['patch status Workload', 'patch Workload']);
    expect(objects.workload.status).toMatchObject({ admission: null });
    expect(objects.condition('QuotaReserved')).toMatchObject({ status: 'False', message: 'for others' });
    expect(objects.condition('Admitted')).toMatchObject({ status: 'False', reason: 'NoReservation' });
    expect(objects.condition('Requeued')).toMatchObject({ status: requeued, reason });
    expect(objects.condition('PodsReady')).toMatchObject({ status: 'False', reason: 'WaitForStart' });
    // What Kueue has said stays.
    expect(objects.condition('Evicted')).toEqual(evicted(reason).at(-1));
    objects.writes.length = 0;
    await ask(objects, 2);
    expect(objects.writes).toEqual([]);
  });

  it('asks for another size without the quota of the old one', async () => {
    const objects = await asked();
    objects.says(...ADMITTED);
    await ask(objects, 2, queued().role('Worker', 'replicas', 5));
    // Kueue would admit it as it was, if it were queued before it has its new size.
    expect(objects.writes).toEqual(['patch status Workload', 'patch Workload', 'patch status Workload']);
    expect(objects.workload.spec).toMatchObject({ podSets: [{ count: 1 }, { count: 5 }] });
    expect(objects.condition('QuotaReserved')).toMatchObject({ status: 'False' });
    expect(objects.condition('Requeued')).toMatchObject({ status: 'True', reason: 'PodSetsChange' });
  });

  it('is queued again, if a try that changed its size was cut off', async () => {
    const objects = await asked();
    objects.says(aCondition('Requeued', 3, { status: 'False', reason: 'PodSetsChange' }));
    await ask(objects, 1);
    expect(objects.condition('Requeued')).toMatchObject({ status: 'True' });
    objects.writes.length = 0;
    await ask(objects, 1);
    expect(objects.writes).toEqual([]);
  });

  it('asks for all of its quota again, if pods of the attempt before have given back theirs', async () => {
    const objects = await asked();
    objects.says(...ADMITTED);
    objects.ends(1, 'worker', 2);
    await returns(objects);
    await ask(objects, 1);
    objects.writes.length = 0;
    await ask(objects, 2);
    expect(objects.writes).toEqual(['patch status Workload', 'patch Workload']);
    expect(objects.workload.status).toMatchObject({ admission: null, reclaimablePods: null });
    expect(objects.condition('QuotaReserved')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('had ended and given back their quota'),
    });
  });

  it('replaces a Workload that somebody has finished', async () => {
    const objects = await asked();
    objects.says(...ADMITTED, aCondition('Finished', 3));
    await ask(objects, 2);
    expect(objects.writes).toEqual(['delete Workload', 'create Workload']);
  });

  it('leaves a Workload of others alone', async () => {
    const objects = new Objects();
    objects.put({ apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'Workload', metadata: { name: 'resnet' } });
    await expect(ask(objects, 1)).rejects.toThrow('already exists and belongs to another job');
    expect(objects.writes).toEqual([]);
  });
});

const returns = (objects: Objects, attempt = 1) =>
  returnQuota(objects.dependencies, { namespace: 'ml', name: 'resnet', anchorUid: OWNER, attempt });
const reclaimed = ({ workload }: Objects) =>
  (workload.status as { reclaimablePods?: object }).reclaimablePods;

describe('pods that have ended', () => {
  it('give back their quota, once', async () => {
    const objects = await asked();
    objects.says(...ADMITTED);
    await returns(objects);
    expect(objects.writes).toEqual([]);
    objects.ends(1, 'worker', 2);
    await returns(objects);
    await returns(objects);
    expect(objects.writes).toEqual(['patch status Workload']);
    expect(reclaimed(objects)).toEqual([{ name: 'worker', count: 2 }]);
    objects.ends(1, 'master', 1);
    await returns(objects);
    expect(reclaimed(objects)).toEqual([
      { name: 'master', count: 1 },
      { name: 'worker', count: 2 },
    ]);
  });

  it('of another attempt, or of a job that is to leave, give back nothing', async () => {
    const objects = await asked();
    objects.says(...ADMITTED);
    objects.ends(1, 'worker', 1);
    await ask(objects, 2);
    objects.writes.length = 0;
    for (const attempt of [1, 2]) await returns(objects, attempt);
    objects.ends(2, 'worker', 1);
    objects.says(...evicted('Preempted'));
    await returns(objects, 2);
    expect(objects.writes).toEqual([]);
  });
});

describe('Kueue hears whether the pods are ready', () => {
  const tell = (objects: Objects, isReady: boolean) =>
    tellReadiness(objects.dependencies, { namespace: 'ml', name: 'resnet', anchorUid: OWNER }, isReady);

  it('when that changes', async () => {
    const objects = await asked();
    objects.says(...ADMITTED);
    const heard: unknown[] = [];
    for (const isReady of [false, true, true, false, false, true]) {
      await tell(objects, isReady);
      const { status, reason } = objects.condition('PodsReady')!;
      heard.push([status, reason, objects.writes.length]);
    }
    expect(heard).toEqual([
      ['False', 'WaitForStart', 1],
      ['True', 'Started', 2],
      ['True', 'Started', 2],
      ['False', 'WaitForRecovery', 3],
      ['False', 'WaitForRecovery', 3],
      ['True', 'Recovered', 4],
    ]);
  });

  it('not of a job that it has not admitted', async () => {
    const objects = await asked();
    objects.says(aCondition('QuotaReserved', 1, { status: 'False' }));
    await tell(objects, false);
    expect(objects.writes).toEqual([]);
  });
});
