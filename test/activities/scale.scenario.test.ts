import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CONFIG_MAPS,
  COSCHEDULING_POD_GROUPS,
  ROLES,
  SERVICES,
  VOLCANO_POD_GROUPS,
} from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import {
  type ActivityStage,
  type Admitted,
  openActivityStage,
  withGangOf,
  withWorkers,
} from './activity-stage.ts';

let stage: ActivityStage;

beforeAll(async () => {
  stage = await openActivityStage();
});

afterAll(() => stage.close());

const aJob = (name: string, workers: number, gang = 'none') =>
  stage.admit(
    simulatedJob({
      name,
      namespace: stage.namespace,
      worker: { replicas: workers, restartPolicy: 'Never' },
      annotations: { 'signalbox.dev/gang': gang },
    }),
  );

const scale = (run: Admitted, rest: { readonly succeededIndices?: Readonly<Record<string, string>> } = {}) =>
  stage.as((all) => all.scale({ ...run, attempt: 1, succeededIndices: {}, asGang: true, ...rest }));

const workersOf = async (job: string) =>
  (await stage.pods(job))
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name.replace(`${job}-`, ''));

const servicesOf = async (job: string) => {
  const selection = { namespace: stage.namespace, labelSelector: `signalbox.dev/job=${job}` };
  const { items } = await stage.cluster.list(SERVICES, selection);
  return items.map(({ metadata }) => metadata.name.replace(`${job}-`, ''));
};

describe('an attempt that is scaled', () => {
  it('down loses its last workers with their Services, and keeps the others', async () => {
    const run = await aJob('down', 4);
    await stage.start(run, 1);
    await stage.endPod('down-worker-3', { exitCode: 9 });
    await eventually(
      'it has failed',
      async () => (await stage.pod('down-worker-3')).status?.phase === 'Failed',
    );
    const kept = (await stage.pod('down-worker-0')).metadata.uid;

    const done = await scale(withWorkers(run, 1));

    expect(done.evidence).toMatchObject([{ pod: 'down-worker-3', exitCode: 9 }]);
    expect(await workersOf('down')).toEqual(['master-0', 'worker-0']);
    expect(await servicesOf('down')).toEqual(['master-0', 'worker-0']);
    expect((await stage.pod('down-worker-0')).metadata.uid).toBe(kept);
  });

  it('up gets the missing pods, except succeeded ones, and a second time changes nothing', async () => {
    const run = await aJob('up', 1);
    await stage.start(run, 1);
    const larger = withWorkers(run, 4);
    await scale(larger, { succeededIndices: { worker: '2' } });
    const workers = ['master-0', 'worker-0', 'worker-1', 'worker-3'];
    expect(await workersOf('up')).toEqual(workers);
    expect(await servicesOf('up')).toEqual(workers);
    const before = await stage.pods('up');
    await scale(larger, { succeededIndices: { worker: '2' } });
    const uidsOf = (pods: typeof before) => pods.map(({ metadata }) => metadata.uid);
    expect(uidsOf(await stage.pods('up'))).toEqual(uidsOf(before));
  });

  it('by a new attempt loses Services that it no longer needs', async () => {
    const run = await aJob('anew', 3);
    await stage.start(run, 1);
    await stage.as((all) => all.drain({ ...run, attempt: 1 }));
    await stage.start(withWorkers(run, 1), 2);
    expect(await servicesOf('anew')).toEqual(['master-0', 'worker-0']);
  });

  it('updates the host list and the pods that the launcher may exec into', async () => {
    const template = { spec: { containers: [{ name: 'mpi', image: 'simulated' }] } };
    const run = await stage.admit({
      apiVersion: 'kubeflow.org/v1',
      kind: 'MPIJob',
      metadata: { name: 'mpi', namespace: stage.namespace },
      spec: { mpiReplicaSpecs: { Launcher: { template }, Worker: { replicas: 1, template } } },
    });
    const all = { ...run, attempt: 1, succeededIndices: {}, asGang: true, roles: ['Worker'] };
    await stage.as(({ createAttempt }) => createAttempt({ ...all, from: 0, to: 1 }));
    await stage.as((activities) => activities.scale({ ...all, ...withWorkers(run, 2) }));
    const { data } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'mpi-config');
    expect(data?.hostfile).toBe('mpi-worker-0 slots=1\nmpi-worker-1 slots=1\n');
    const { rules } = await stage.cluster.get(ROLES, stage.namespace, 'mpi-launcher');
    expect(JSON.stringify(rules)).toContain('["mpi-worker-0","mpi-worker-1"]');
  });

  it.each([
    ['volcano', VOLCANO_POD_GROUPS],
    ['coscheduling', COSCHEDULING_POD_GROUPS],
  ])('updates its group of %s', async (gang, groups) => {
    const run = await aJob(gang, 2, gang);
    await stage.as((all) => all.createGroup({ ...run, attempt: 1 }));
    const larger = withWorkers(run, 4);
    await scale(withGangOf(larger, 5));
    const group = await stage.cluster.get(groups, stage.namespace, gang);
    expect(group.spec).toMatchObject({ minMember: 5 });
  });
});

describe('a role that starts again', () => {
  it('gets new pods, once, and the other roles stay', async () => {
    const run = await aJob('role', 2);
    await stage.start(run, 1);
    const uids = async () => (await stage.pods('role')).map(({ metadata }) => metadata.uid);
    const [master, ...workers] = await uids();
    const request = { ...run, attempt: 1, replace: [], succeededIndices: {}, asGang: true };
    const incarnations = { worker: 1 };
    const restart = { ...request, restartRoles: ['worker'], incarnations };

    await stage.restorePods(restart);
    const after = await uids();
    expect(after[0]).toBe(master);
    expect(after.filter((uid) => workers.includes(uid))).toEqual([]);

    await stage.restorePods(restart);
    expect(await uids()).toEqual(after);
  });
});
