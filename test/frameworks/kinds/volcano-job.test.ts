import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../../../contracts/kubernetes.ts';
import { formatFault } from '../../../frameworks/fields/faults.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { chooseGang } from '../../../gang/choose.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { Course } from '../../comparison/course.ts';

type Fields = Readonly<Record<string, unknown>>;

const task = (name: string, replicas: number, { spec, ...others }: { spec?: Fields } & Fields = {}) => ({
  name,
  replicas,
  ...others,
  template: {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }], ...spec },
  },
});

const manifest = (tasks: readonly Fields[], spec: Fields = {}) => ({
  apiVersion: 'batch.volcano.sh/v1alpha1',
  kind: 'Job',
  metadata: { name: 'sim' },
  spec: { ...spec, tasks },
});

function jobOf(tasks: readonly Fields[], spec?: Fields) {
  const parsed = parseManifest(manifest(tasks, spec), { namespace: 'ml' });
  if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
  return parsed.job;
}

function faultsOf(tasks: readonly Fields[], spec?: Fields): string[] {
  const parsed = parseManifest(manifest(tasks, spec), { namespace: 'ml' });
  return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
}

const podsOf = (job: ReturnType<typeof jobOf>): readonly Pod[] =>
  renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'none', asGang: true }).pods;

const variablesOf = ({ spec }: Pod) =>
  Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));

describe('a Volcano Job', () => {
  it('needs of each task what it says, or all of it', () => {
    const job = jobOf([task('ps', 1), task('worker', 4, { minAvailable: 2 })]);
    expect(job.gang).toMatchObject({ minMember: 3, prefers: 'volcano' });
    expect(job.plan.roles).toMatchObject([{ name: 'ps' }, { name: 'worker', enough: 2 }]);
  });

  it('does not count pods that wait for others in its gang', () => {
    const job = jobOf([task('report', 1, { dependsOn: { name: ['worker'] } }), task('worker', 4)]);
    expect(job.gang.minMember).toBe(4);
  });

  it('names tasks without a name by their numbers', () => {
    const [first, second] = [task('a', 1), task('b', 1)].map(({ name: _, ...rest }) => rest);
    expect(jobOf([first!, second!]).roles.map(({ name }) => name)).toEqual(['default0', 'default1']);
  });

  it('lets only a scheduler other than Volcano place the pods of a template', () => {
    const tasks = ['volcano', 'mine'].map((schedulerName) =>
      task(schedulerName, 1, { spec: { schedulerName } }),
    );
    expect(podsOf(jobOf(tasks)).map(({ spec }) => spec.schedulerName)).toEqual([undefined, 'mine']);
  });

  it('has the claims that it names in all its containers', () => {
    const volumes = [{ mountPath: '/data', volumeClaimName: 'corpus' }];
    const [pod] = podsOf(
      jobOf([task('a', 1, { spec: { initContainers: [{ name: 'init', image: 'i' }] } })], { volumes }),
    );
    expect(pod!.spec.volumes).toEqual([
      { name: 'job-volume-0', persistentVolumeClaim: { claimName: 'corpus' } },
    ]);
    expect(pod!.spec.containers[0]!.volumeMounts).toEqual([{ name: 'job-volume-0', mountPath: '/data' }]);
    expect(pod!.spec.initContainers![0]!.volumeMounts).toBeUndefined();
  });
});

describe('a plugin', () => {
  it('reads arguments as Go does', () => {
    const ways = [['--port=5000'], ['-port', '5000'], ['--port', '5000', '--wait-master-enabled']];
    for (const pytorch of ways) {
      const [pod] = podsOf(jobOf([task('master', 1), task('worker', 1)], { plugins: { pytorch } }));
      expect(variablesOf(pod!).MASTER_PORT).toBe('5000');
    }
  });

  it('numbers several masters of PyTorch, and the workers after them', () => {
    const job = jobOf([task('worker', 2), task('master', 2), task('log', 1)], { plugins: { pytorch: [] } });
    expect(podsOf(job).map((pod) => variablesOf(pod).RANK)).toEqual(['2', '3', '0', '1', undefined]);
    expect(variablesOf(podsOf(job)[0]!).WORLD_SIZE).toBe('4');
  });

  it('lets workers of PyTorch wait for their master', () => {
    const plugins = { pytorch: ['--wait-master-enabled=true', '--wait-master-image=own'] };
    const pods = podsOf(jobOf([task('master', 1), task('worker', 1)], { plugins }));
    expect(pods.map(({ spec }) => spec.initContainers)).toMatchObject([
      undefined,
      [{ name: 'wait-for-master', image: 'own' }],
    ]);
  });

  it('gives TensorFlow its cluster, in the order of its types', () => {
    const tasks = [task('chief', 1), task('worker', 2), task('ps', 1), task('log', 1)];
    const pods = podsOf(jobOf(tasks, { plugins: { tensorflow: ['--port=5000'] } }));
    expect(variablesOf(pods[2]!).TF_CONFIG).toBe(
      JSON.stringify({
        cluster: {
          ps: ['sim-ps-0.sim:5000'],
          worker: ['sim-worker-0.sim:5000', 'sim-worker-1.sim:5000'],
          chief: ['sim-chief-0.sim:5000'],
        },
        task: { type: 'worker', index: 1 },
      }),
    );
    expect(variablesOf(pods.at(-1)!).TF_CONFIG).toBeUndefined();
  });

  it('starts Ray on a head and its workers', () => {
    const named = (name: string, replicas: number) =>
      task(name, replicas, { spec: { containers: [{ name, image: 'ray' }] } });
    const job = jobOf([named('head', 1), named('worker', 1)], { plugins: { ray: [] } });
    const [head, worker] = podsOf(job);
    expect(head!.spec.containers[0]).toMatchObject({
      command: [
        'sh',
        '-c',
        'ray start --head --block --dashboard-host=0.0.0.0 --port=6379 --dashboard-port=8265 --ray-client-server-port=10001',
      ],
      ports: [{ containerPort: 6379 }, { containerPort: 8265 }, { containerPort: 10_001 }],
    });
    expect(worker!.spec.containers[0]!.command!.at(-1)).toBe(
      'ray start --block --address=sim-head-0.sim:6379',
    );
    const { shared } = renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'none', asGang: true });
    expect(shared.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'Service/sim',
      'ConfigMap/sim-svc',
      'NetworkPolicy/sim',
      'Service/sim-head-svc',
    ]);
  });

  it('numbers pods for Ascend', () => {
    const pods = podsOf(jobOf([task('master', 1), task('worker', 1)], { plugins: { hcclrank: [] } }));
    expect(pods.map(({ metadata }) => metadata.annotations?.['hccl/rankIndex'])).toEqual(['0', '1']);
  });
});

describe('a claim of a job', () => {
  const volumeClaim = { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } };
  const claimsOf = (volumes: readonly Fields[]) => {
    const job = jobOf([task('a', 1)], { volumes });
    const { shared } = renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'none', asGang: true });
    const [pod] = podsOf(job);
    const mounted = (pod!.spec.volumes as readonly Fields[]).map(
      ({ persistentVolumeClaim }) => persistentVolumeClaim,
    );
    return { made: shared.map(({ metadata, spec }) => ({ name: metadata.name, spec })), mounted };
  };

  it('is made for it, under a name of its own', () => {
    const volumes = [
      { mountPath: '/data', volumeClaimName: 'corpus' },
      { mountPath: '/out', volumeClaim },
    ];
    expect(claimsOf(volumes)).toEqual({
      made: [{ name: 'sim-pvc-1', spec: volumeClaim }],
      mounted: [{ claimName: 'corpus' }, { claimName: 'sim-pvc-1' }],
    });
  });

  it('is not made beside the name of one that exists', () => {
    expect(claimsOf([{ mountPath: '/data', volumeClaimName: 'corpus', volumeClaim }])).toEqual({
      ...{ made: [], mounted: [{ claimName: 'corpus' }] },
    });
  });

  it.each([
    [{ mountPath: '/out' }, 'spec.volumes[0]: expected volumeClaimName or volumeClaim, got neither'],
    [
      { mountPath: '/out', volumeClaim: { ...volumeClaim, accessModes: [] } },
      /^spec\.volumes\[0\]\.volumeClaim\.accessModes: /,
    ],
    [
      { mountPath: '/out', volumeClaim: { accessModes: ['ReadWriteOnce'], resources: { requests: {} } } },
      /^spec\.volumes\[0\]\.volumeClaim\.resources\.requests\.storage: /,
    ],
  ])('is refused: %j', (volume, fault) => {
    const wanted = typeof fault === 'string' ? fault : expect.stringMatching(fault);
    expect(faultsOf([task('a', 1)], { volumes: [volume] })).toEqual([wanted]);
  });
});

describe('networkTopology', () => {
  const job = jobOf([task('a', 2)], { networkTopology: { highestTierAllowed: 2 } });

  it('is part of Volcano’s group', () => {
    const { group } = renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'volcano', asGang: true });
    expect(group?.spec).toMatchObject({ networkTopology: { mode: 'hard', highestTierAllowed: 2 } });
  });

  it('is for nobody elsewhere, which a warning says', async () => {
    const chosen = await chooseGang(job, { configured: 'native', serves: async () => true });
    expect(chosen).toMatchObject({ provider: 'volcano', warnings: [] });
    const elsewhere = await chooseGang(job, {
      configured: 'native',
      serves: async (provider) => provider === 'native',
    });
    expect(elsewhere).toMatchObject({
      provider: 'native',
      warnings: [expect.stringMatching(/^spec\.networkTopology: ignored; only Volcano reads tiers/)],
    });
  });

  it('names a tier by its number or its name', () => {
    const networkTopology = { highestTierAllowed: 2, highestTierName: 'rack' };
    expect(faultsOf([task('a', 1)], { networkTopology })).toEqual([
      'spec.networkTopology.highestTierName: expected nothing beside highestTierAllowed, got "rack"',
    ]);
  });
});

describe('TaskFailed', () => {
  const failed = (action: string, options: Fields = {}) =>
    jobOf([task('worker', 2, { maxRetry: 2, policies: [{ event: 'TaskFailed', action }], ...options })]);
  const RULE = 'spec.tasks[worker].policies[0]: TaskFailed';

  it('happens when containers of a task were restarted in place as often as its maxRetry says', () => {
    const course = new Course(failed('RestartJob')).sees({ worker: 'ready' });
    course.seesRestartsInPlace('worker', 1);
    expect(course.status.phase).toBe('Starting');
    course.seesRestartsInPlace('worker', 2);
    expect(course.status).toMatchObject({ attempt: 2, restarts: 3 });
  });

  it.each([
    ['AbortJob', 'Suspended', { rule: `${RULE}: AbortJob` }],
    ['TerminateJob', 'Stopped', { rule: `${RULE}: TerminateJob` }],
    ['CompleteJob', 'Completed', undefined],
  ])('with %s makes the job %s', (action, phase, cause) => {
    const course = new Course(failed(action)).sees({ worker: 'ready' });
    const { status } = course.seesRestartsInPlace('worker', 2);
    expect(status.phase).toBe(phase);
    if (cause) expect(status.cause).toMatchObject(cause);
  });

  it('restarts the partition of the pod', () => {
    const job = failed('RestartPartition', {
      ...{ replicas: 4, partitionPolicy: { totalPartitions: 2, partitionSize: 2 } },
    });
    const course = new Course(job).sees({ worker: 'ready' });
    course.seesRestartsInPlace('worker', 2);
    expect(course.effects).toContainEqual(
      expect.objectContaining({ type: 'restorePods', partitions: { worker: '0-1' } }),
    );
  });

  it('is never with -1, and says so of a maxRetry that no policy is for', () => {
    const endless = failed('RestartJob', { maxRetry: -1 });
    expect(endless.plan.roles[0]).not.toHaveProperty('inPlace');
    expect(endless.warnings).toEqual([]);
    expect(jobOf([task('worker', 1, { maxRetry: 2 })]).warnings).toEqual([
      'spec.tasks[worker].maxRetry: without effect, as no policy is for TaskFailed',
    ]);
  });
});

describe('what is not supported', () => {
  it.each([
    [
      { policies: [{ event: 'Unknown', action: 'RestartJob' }] },
      /^spec\.policies\[0\]\.event: .*gang\.placedWithin of signalbox\.dev\/policy\), got "Unknown"$/,
    ],
    [
      { policies: [{ event: 'PodFailed', action: 'ResumeJob' }] },
      /^spec\.policies\[0\]\.action: .*signalbox resume NAME\), got "ResumeJob"$/,
    ],
  ])('is refused with what to use instead: %j', (spec, fault) => {
    expect(faultsOf([task('a', 1)], spec)).toEqual([expect.stringMatching(fault)]);
  });
});

describe('the success of a Volcano Job', () => {
  it('is that of so many pods, as minSuccess says', () => {
    const job = jobOf([task('a', 1), task('b', 3)], { minSuccess: 1 });
    expect(new Course(job).sees({ a: 'succeeded', b: 'ready' }).status.phase).toBe('Completed');
  });

  it('takes what each task needs, if the job needs that', () => {
    const needed = new Course(jobOf([task('a', 1), task('b', 2)])).sees({ a: 'succeeded', b: 'failed' });
    expect(needed.status).toMatchObject({ phase: 'Failed', cause: { rule: 'spec.minAvailable: 3' } });
    const less = jobOf([task('a', 1), task('b', 2)], { minAvailable: 1 });
    expect(new Course(less).sees({ a: 'succeeded', b: 'failed' }).status.phase).toBe('Completed');
  });
});

describe('partitions of a task', () => {
  const parted = (options: Fields = {}) =>
    task('node', 4, {
      partitionPolicy: { totalPartitions: 2, partitionSize: 2, minPartitions: 1 },
      policies: [{ event: 'PodFailed', action: 'RestartPartition' }],
      ...options,
    });

  it('are labels of the pods, in the order of their indices, and parts of Volcano’s group', () => {
    const job = jobOf([parted(), task('ps', 1)]);
    expect(job.gang.minMember).toBe(3);
    expect(podsOf(job).map(({ metadata }) => metadata.labels?.['volcano.sh/partition-id'])).toEqual([
      ...['0', '0', '1', '1'],
      undefined,
    ]);
    const { group } = renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'volcano', asGang: true });
    expect(group?.spec).toMatchObject({
      minTaskMember: { node: 2, ps: 1 },
      subGroupPolicy: [
        {
          ...{ name: 'node', subGroupSize: 2, minSubGroups: 1 },
          labelSelector: { matchLabels: { 'volcano.sh/task-spec': 'node' } },
          matchLabelKeys: ['volcano.sh/partition-id'],
        },
      ],
    });
  });

  it('restart as a whole, with those of their pods that run or have succeeded', () => {
    const job = jobOf([parted()]);
    const course = new Course(job).sees({ node: 'ready' }).sees({ node: 'ready' });
    course.seesFailure({ role: 'node', index: 3 }, {});
    expect(course.effects).toContainEqual(
      expect.objectContaining({ type: 'restorePods', partitions: { node: '2-3' } }),
    );
  });

  it.each<[string, Fields, string]>([
    [
      'sizes that are not those of the task',
      { replicas: 5 },
      'spec.tasks[0].replicas: expected 4, the partitions (2) times their size (2)',
    ],
    [
      'another minAvailable than that of the partitions',
      { minAvailable: 3 },
      'spec.tasks[0].minAvailable: expected 2, minPartitions times',
    ],
    [
      'no partitions',
      { partitionPolicy: undefined },
      'spec.tasks[0].policies[0].action: expected a task with partitionPolicy',
    ],
  ])('are refused with %s', (_, options, fault) => {
    expect(faultsOf([parted(options)])).toEqual([expect.stringContaining(fault)]);
  });
});
