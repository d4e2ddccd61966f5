import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  COSCHEDULING_POD_GROUPS,
  EVENTS,
  type KubeObject,
  type ObjectMeta,
  PODS,
  type Pod,
  type Resource,
  VOLCANO_POD_GROUPS,
} from '../../../contracts/kubernetes.ts';
import { eventually } from '../../../test/eventually.ts';
import { openStage, type Stage } from '../../../test/scenarios/stage.ts';
import { TEST_SANDBOX_DIR } from '../../../test/test-sandbox.ts';
import { restartComponent } from '../sandbox.ts';

interface PodGroup extends KubeObject {
  readonly status?: { readonly phase?: string };
}

interface GangScheduler {
  readonly name: string;
  readonly schedulerName: string;
  readonly component: 'vc-scheduler' | 'scheduler-plugins-scheduler';
  readonly groups: Resource<PodGroup>;
  /** What makes a pod a member of the group. */
  readonly member: (group: string) => Partial<ObjectMeta>;
  /** Its message for a pod when a gang needs five whole nodes and there are four. */
  readonly refusal: RegExp;
}

const SCHEDULERS: readonly GangScheduler[] = [
  {
    name: 'Volcano',
    schedulerName: 'volcano',
    component: 'vc-scheduler',
    groups: VOLCANO_POD_GROUPS,
    member: (group) => ({ annotations: { 'scheduling.k8s.io/group-name': group } }),
    refusal: /Pending: 1 Unschedulable, 4 Schedulable/,
  },
  {
    name: 'Coscheduling',
    schedulerName: 'scheduler-plugins-scheduler',
    component: 'scheduler-plugins-scheduler',
    groups: COSCHEDULING_POD_GROUPS,
    member: (group) => ({ labels: { 'scheduling.x-k8s.io/pod-group': group } }),
    refusal: /Insufficient nvidia.com\/gpu/,
  },
];

/** The first run on a machine builds the schedulers. */
const FIRST_RUN_MS = 30 * 60_000;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
}, FIRST_RUN_MS);

afterEach(removePods);

afterAll(() => stage?.close());

describe.each(SCHEDULERS)('$name', (scheduler) => {
  test('places a gang of three', async () => {
    const group = `fits-${scheduler.schedulerName}`;
    const pods = await createGang(scheduler, group, 3);
    await eventually('every pod runs', async () => {
      const found = await Promise.all(pods.map(stage.pod));
      return found.every(({ status }) => status?.phase === 'Running');
    });
    expect(await eventually('its binding is on record', () => bindersOf(pods))).toEqual([
      scheduler.schedulerName,
    ]);
    await eventually(
      'the group is Running',
      async () => (await groupOf(scheduler, group)).status?.phase === 'Running',
    );
  });

  test('places no pod of a gang that is too large', async () => {
    const pods = await createGang(scheduler, `large-${scheduler.schedulerName}`, 5);
    await eventually('it says why', async () => {
      const found = await Promise.all(pods.map(stage.pod));
      return found.map(whyNotScheduled).some((why) => scheduler.refusal.test(why));
    });
    const found = await Promise.all(pods.map(stage.pod));
    expect(found.map(({ spec }) => spec.nodeName)).toEqual(pods.map(() => undefined));
  });

  test('places gangs again after it was killed and restarted', async () => {
    await restartComponent(TEST_SANDBOX_DIR, scheduler.component, 'kill');
    const pods = await createGang(scheduler, `again-${scheduler.schedulerName}`, 3);
    await eventually('every pod has a node', async () => {
      const found = await Promise.all(pods.map(stage.pod));
      return found.every(({ spec }) => spec.nodeName?.startsWith('sim-'));
    });
  });
});

test('the scheduler of Kubernetes still places its own pods', async () => {
  await createPods(['plain'], {}, undefined);
  await eventually('the pod runs', async () => (await stage.pod('plain')).status?.phase === 'Running');
  expect(await eventually('its binding is on record', () => bindersOf(['plain']))).toEqual([
    'default-scheduler',
  ]);
});

async function createGang(scheduler: GangScheduler, group: string, size: number): Promise<string[]> {
  const { apiVersion, kind } = scheduler.groups;
  await stage.cluster.create(scheduler.groups, {
    apiVersion,
    kind,
    metadata: { name: group, namespace: stage.namespace },
    spec: { minMember: size },
  });
  const names = Array.from({ length: size }, (_, index) => `${group}-${index}`);
  return createPods(names, scheduler.member(group), scheduler.schedulerName);
}

/** Each requests all GPUs of a simulated node. */
async function createPods(
  names: readonly string[],
  metadata: Partial<ObjectMeta>,
  schedulerName: string | undefined,
): Promise<string[]> {
  const limits = { 'nvidia.com/gpu': '8' };
  await Promise.all(
    names.map((name) =>
      stage.cluster.create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, name, namespace: stage.namespace },
        spec: {
          schedulerName,
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'none', resources: { limits } }],
        },
      }),
    ),
  );
  return [...names];
}

const groupOf = ({ groups }: GangScheduler, name: string): Promise<PodGroup> =>
  stage.cluster.get(groups, stage.namespace, name);

function whyNotScheduled({ status }: Pod): string {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return scheduled?.message ?? '';
}

/** Returns who has bound these pods, once each of them has its event. */
async function bindersOf(pods: readonly string[]): Promise<string[] | undefined> {
  const { items } = await stage.cluster.list(EVENTS, {
    namespace: stage.namespace,
    fieldSelector: 'reason=Scheduled',
  });
  const mine = items.filter(({ involvedObject }) => pods.includes((involvedObject as ObjectMeta).name));
  if (mine.length < pods.length) return undefined;
  const sources = mine.map(({ reportingComponent, source }) => {
    return String(reportingComponent || (source as { component?: string }).component);
  });
  return [...new Set(sources)];
}

/** Frees all GPUs for the next test. */
async function removePods(): Promise<void> {
  const all = async () => (await stage.cluster.list(PODS, { namespace: stage.namespace })).items;
  const made = await all();
  await Promise.all(made.map(({ metadata }) => stage.cluster.delete(PODS, stage.namespace, metadata.name)));
  await eventually('the pods are gone', async () => (await all()).length === 0);
}
