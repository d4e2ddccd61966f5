import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NODES, PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { isPodReady } from '../../contracts/pod.ts';
import { SPARE } from '../../contracts/spares.ts';
import { eventually } from '../eventually.ts';
import { courseOf, renewed, untilAttempt, untilRestarted, untilStatus } from '../scenarios/attempts.ts';
import { type Disruption, deletion, eviction } from '../scenarios/disruptions.ts';
import { onNode, type RealJobOptions } from './jobs.ts';
import { openPodCourses, type PodCourses } from './pod-course.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** Pods that somebody else than their job ends: a kubelet tells them to stop, and they end as they like. */

const EVICTED = 'was evicted (EvictionByEvictionAPI: Eviction API: evicting)';

describeOnNodes('on real nodes', () => {
  let stage: RealStage;
  let courses: PodCourses;

  beforeAll(async () => {
    stage = await openRealStage();
    courses = await openPodCourses(stage.cluster, stage.namespace);
    await stage.engine('up');
  });

  afterAll(async () => {
    await courses.close();
    await stage.close();
  });

  /** Trains until the test says that it is done; a program that is told to stop saves what it has, and exits. */
  const training = (name: string, exitCode: number) =>
    `trap 'sleep 1; exit ${exitCode}' TERM; until [ -e /out/${name} ]; do sleep 0.2; done`;

  const trained = (name: string) => writeFile(join(stage.out, name), '');

  interface Training extends Pick<RealJobOptions, 'name' | 'restartPolicy' | 'policy' | 'runPolicy'> {
    /** Of what is told to stop; without one it does not listen. */
    readonly exitCode?: number;
    /** Of the pod of each role. */
    readonly pods?: { readonly master?: object; readonly worker?: object };
    readonly container?: Readonly<Record<string, unknown>>;
    readonly workers?: number;
  }

  async function begin({ exitCode, pods, container, workers, ...options }: Training): Promise<JobHandle> {
    const { name } = options;
    const script =
      exitCode === undefined
        ? `trap '' TERM; until [ -e /out/${name} ]; do sleep 0.2; done`
        : training(name, exitCode);
    return stage.running({
      ...options,
      master: { script, pod: { ...pods?.master } },
      worker: { script, pod: { ...pods?.worker }, container, replicas: workers },
      graceSeconds: exitCode === undefined ? 2 : 20,
    });
  }

  it.each<[string, Training & { role: 'master' | 'worker' }, Disruption, string, string]>([
    [
      'a master that is deleted and exits with 0',
      { name: 'deleted-0', role: 'master', exitCode: 0, restartPolicy: 'Never' },
      deletion,
      'was deleted (Deleted); exit code 0',
      'Succeeded',
    ],
    [
      'a worker that is deleted and exits with 0',
      { name: 'worker-0', role: 'worker', exitCode: 0, restartPolicy: 'Never' },
      deletion,
      'was deleted (Deleted); exit code 0',
      'Succeeded',
    ],
    [
      'a worker that is deleted and does not listen',
      { name: 'deaf', role: 'worker', restartPolicy: 'Never' },
      deletion,
      'was deleted (Deleted); exit code 137',
      'Failed',
    ],
    [
      'a worker that is deleted and exits with 1',
      { name: 'deleted-1', role: 'worker', exitCode: 1, restartPolicy: 'ExitCode' },
      deletion,
      'was deleted (Deleted); exit code 1',
      'Failed',
    ],
    [
      'a master that is evicted and exits with 0',
      { name: 'evicted-0', role: 'master', exitCode: 0, restartPolicy: 'OnFailure' },
      eviction,
      `${EVICTED}; exit code 0`,
      'Succeeded',
    ],
    [
      'a worker that is evicted and does not listen',
      { name: 'evicted-137', role: 'worker', restartPolicy: 'Never' },
      eviction,
      `${EVICTED}; exit code 137`,
      'Failed',
    ],
  ])('%s is made again, and its job goes on', async (_, { role, ...job }, disrupt, words, ends) => {
    const { name } = job;
    const handle = await begin(job);
    const pod = `${name}-${role}-0`;
    const before = await stage.pods(name);
    const { metadata, spec } = await stage.pod(pod);
    await disrupt(stage, pod);
    const status = await untilRestarted(handle, 1);
    expect(courseOf(status)).toContain(`${pod} on node ${spec.nodeName} ${words}`);
    expect(renewed(before, await stage.pods(name))).toEqual([pod]);
    // What simulated nodes leave out: a pod ends before it is gone.
    expect(courses.of(metadata.uid!).slice(-3)).toEqual([
      'Running, terminating',
      `${ends}, terminating`,
      'gone',
    ]);
    await trained(name);
    expect(await handle.wait()).toMatchObject({ phase: 'Completed', attempt: 1, restarts: 1 });
  });

  it('a gang on spot nodes restarts at no cost when its master is evicted, and exits with 0', async () => {
    const policy = {
      restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } },
      failures: { classes: { infrastructure: { budget: 5 }, userCode: { budget: 0 } } },
      checkpoint: { signal: 'SIGTERM', within: '20s' },
    };
    const job = await begin({ name: 'spot', exitCode: 0, restartPolicy: 'Never', policy });
    await eviction(stage, 'spot-master-0');
    const { budgets } = await untilAttempt(job, 2);
    expect(budgets).toMatchObject({ infrastructure: { used: 1 }, userCode: { used: 0 } });
    await trained('spot');
    expect(await job.wait()).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
  });

  it('a succeeded worker is not recreated when its pod is deleted, and its job does not restart', async () => {
    const job = await stage.running({
      name: 'early',
      master: { script: training('early', 1) },
      worker: { script: 'sleep 2' },
    });
    await untilStatus(
      job,
      'its worker has succeeded',
      ({ replicaStatuses }) => replicaStatuses.Worker?.succeeded === 1,
    );
    await deletion(stage, 'early-worker-0');
    await eventually('its pod is gone', async () => (await stage.pods('early')).length === 1);
    await trained('early');
    const { phase, restarts, timeline } = await job.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Completed', restarts: 0 });
    const states = timeline.map(({ state }) => state);
    expect(states.slice(states.indexOf('Running'))).toEqual(['Running', 'Finishing.CleaningUp', 'Completed']);
  });

  it('a drained node keeps no pod, and its jobs continue elsewhere', async () => {
    const job = await begin({ name: 'drained', exitCode: 143, restartPolicy: 'Never', workers: 2 });
    const { nodeName: name } = (await stage.pod('drained-master-0')).spec;
    const before = await stage.pods('drained');
    const there = before.filter(({ spec }) => spec.nodeName === name);
    const cordon = (unschedulable: boolean) =>
      stage.cluster.patch(NODES, { name: name! }, { spec: { unschedulable } });
    await cordon(true);
    try {
      await Promise.all(there.map(({ metadata }) => eviction(stage, metadata.name)));
      // One that goes while another is made again is made with it: how many restarts that is depends on the moment.
      const after = await eventually('all of them run again', async () => {
        const pods = await stage.pods('drained');
        const areAllRunning = pods.every(({ status }) => status?.phase === 'Running');
        return renewed(before, pods).length === there.length && areAllRunning && pods;
      });
      expect(renewed(before, after)).toEqual(there.map(({ metadata }) => metadata.name).sort());
      expect(after.map(({ spec }) => spec.nodeName)).not.toContain(name);
    } finally {
      await cordon(false);
    }
    await trained('drained');
    expect(await job.wait()).toMatchObject({ phase: 'Completed', attempt: 1 });
  });

  it('a pod that is evicted for good takes the place of a spare within seconds', async () => {
    const name = 'spared';
    const isApart = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: {
        matchLabels: { [LABELS.job]: name },
        matchExpressions: [{ key: LABELS.role, operator: 'In', values: ['worker', SPARE] }],
      },
    };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [isApart] } };
    const policy = { spares: { count: 1 }, nodes: { lostAfter: '1h', avoidFor: '1h' } };
    const job = await begin({
      name,
      exitCode: 1,
      restartPolicy: 'Never',
      policy,
      pods: { worker: { affinity } },
    });
    await untilStatus(job, 'its spare holds a place', ({ warnings, phase }) => {
      return phase === 'Running' && !warnings.some((warning) => warning.includes('spares hold a place'));
    });
    const [lost, spare] = await Promise.all([stage.pod(`${name}-worker-0`), stage.pod(`${name}-spare-0`)]);
    expect(isPodReady(spare)).toBe(true);
    expect(spare.spec.nodeName).not.toBe(lost.spec.nodeName);
    await eviction(stage, lost.metadata.name);
    const status = await untilRestarted(job, 1);
    const [, seconds] =
      /; ([0-9.]+) s after the loss; spared-worker-0 .* takes the place of spared-spare-0/.exec(
        courseOf(status),
      )!;
    expect(Number(seconds)).toBeLessThan(15);
    process.stderr.write(`all processes started ${seconds} s after the loss\n`);
    expect((await stage.pod(`${name}-worker-0`)).spec.nodeName).toBe(spare.spec.nodeName);
    await trained(name);
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 1 });
    await eventually('its spares are gone', async () => (await stage.pods(name)).length === 0);
  });

  it('a preempted pod waits, and runs again when there is room', async () => {
    const seat = { resources: { limits: { 'test.signalbox.dev/seat': '1' } } };
    const capacity = seat.resources.limits;
    const target = { name: 'node-2', subresource: 'status' } as const;
    await stage.cluster.patch(NODES, target, { status: { capacity, allocatable: capacity } });
    const job = await begin({
      name: 'preempted',
      exitCode: 0,
      restartPolicy: 'Never',
      policy: { failures: { classes: { infrastructure: { free: true } } } },
      runPolicy: { backoffLimit: 0 },
      pods: { master: onNode('node-1') },
      container: seat,
    });
    const important = { name: 'important', namespace: stage.namespace };
    const container = { name: 'main', image: 'node:24', command: ['sleep', '3600'], ...seat };
    await stage.cluster.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: important,
      spec: {
        priorityClassName: 'system-cluster-critical',
        terminationGracePeriodSeconds: 0,
        containers: [container],
      },
    });
    const waiting = await untilStatus(
      job,
      'it waits for room',
      ({ state }) => state === 'Pending.Scheduling',
    );
    expect(courseOf(waiting)).toMatch(
      /preempted-worker-0 on node node-2 was preempted \(PreemptionByScheduler: .*\); exit code 0/,
    );
    await eventually('the important one runs', async () => {
      const { status } = await stage.pod('important');
      return status?.phase === 'Running';
    });
    await stage.cluster.delete(PODS, stage.namespace, 'important');
    await untilRestarted(job, 1);
    await trained('preempted');
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 1 });
  });
});
