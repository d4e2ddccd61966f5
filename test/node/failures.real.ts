import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { hasPodEnded } from '../../contracts/pod.ts';
import { eventually } from '../eventually.ts';
import { courseOf, untilStatus } from '../scenarios/attempts.ts';
import { untilPhase } from '../scenarios/stage.ts';
import { type RealJobOptions, RUNS_ON } from './jobs.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** How programs, images, probes, volumes and limits fail on a real kubelet, and what becomes of their jobs. */

const AT_ONCE = { backOff: { initial: '0s' } };
const ONCE = { backoffLimit: 1 };

type Options = Omit<RealJobOptions, 'name' | 'namespace'>;

const CRASHES = {
  master: { script: 'echo lost shard 7; exit 4' },
  worker: RUNS_ON,
  restartPolicy: 'OnFailure',
};

const JOBS = {
  fails: {
    master: { script: 'echo no data; echo broken shard 7 > /dev/termination-log; exit 1' },
    worker: RUNS_ON,
  },
  'code-137': { master: { script: 'exit 137' }, worker: RUNS_ON, restartPolicy: 'ExitCode', runPolicy: ONCE },
  'code-1': { master: { script: 'exit 1' }, worker: RUNS_ON, restartPolicy: 'ExitCode' },
  'in-place': { ...CRASHES, runPolicy: ONCE },
  loops: CRASHES,
  'final-in-place': {
    master: { script: 'echo corrupt record; exit 42' },
    restartPolicy: 'OnFailure',
    policy: {
      failures: {
        rules: [{ class: 'badData', pattern: 'corrupt record' }],
        classes: { badData: { final: true } },
      },
    },
  },
  proxied: {
    master: { script: 'echo trained', beside: 'exec sleep 3600' },
    worker: { replicas: 2, script: 'sleep 4; echo done', beside: 'exec sleep 3600' },
    runPolicy: { cleanPodPolicy: 'None' },
  },
  'progress-bar': {
    // 16 KiB, which the runtime passes on, are 140 steps.
    master: {
      script: `i=0; while :; do i=$((i+1)); printf '\\r%0100d step=%d' 0 $i; sleep 0.05; done`,
    },
    policy: { progress: { log: 'step=(\\d+)', stalledAfter: '60s' } },
  },
  'bad-init': {
    master: { ...RUNS_ON, pod: { initContainers: [init('echo no licence; exit 7')] } },
    restartPolicy: 'OnFailure',
    runPolicy: ONCE,
  },
  memory: {
    master: {
      script: 'tail /dev/zero',
      container: { resources: { limits: { memory: '32Mi' }, requests: { memory: '16Mi' } } },
    },
  },
  'no-image': {
    master: { ...RUNS_ON, container: { image: 'localhost:1/nobody/absent:1' } },
    policy: { restart: AT_ONCE, failures: { classes: { startUp: { after: '10s', budget: 1 } } } },
  },
  'late-config': {
    master: { script: 'test "$LATE" = here', container: { envFrom: [{ configMapRef: { name: 'late' } }] } },
  },
  disk: {
    master: {
      script: 'dd if=/dev/zero of=/tmp/big bs=1M count=40; sleep 3600',
      container: { resources: { limits: { 'ephemeral-storage': '8Mi' } } },
    },
    restartPolicy: 'ExitCode',
    runPolicy: ONCE,
  },
  'late-ready': {
    master: {
      // Longer than the watcher holds counts of pods that decide nothing: else the job may never be seen Starting.
      script: 'sleep 15; touch /tmp/ready; sleep 3600',
      container: { readinessProbe: { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 1 } },
    },
  },
  deadline: { master: RUNS_ON, runPolicy: { activeDeadlineSeconds: 10 } },
  ladder: {
    master: {
      script:
        'echo attempt $SIGNALBOX_ATTEMPT; if [ "$SIGNALBOX_ATTEMPT" = 3 ]; then exit 0; fi; sleep 1; exit 1',
    },
    worker: { script: 'echo attempt $SIGNALBOX_ATTEMPT; sleep 3600' },
    restartPolicy: 'OnFailure',
    policy: { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '1s' } } },
  },
  stalls: {
    master: { script: 'echo step=1; sleep 1; echo step=2; sleep 3600' },
    policy: {
      restart: AT_ONCE,
      progress: { log: 'step=(\\d+)', stalledAfter: '6s' },
      failures: { classes: { stalled: { budget: 1 } } },
    },
  },
} as const satisfies Record<string, Options>;

function init(script: string) {
  return { name: 'prepare', image: 'node:24', command: ['sh', '-c', script] };
}

describeOnNodes('on real nodes', () => {
  let stage: RealStage;
  const jobs = {} as Record<keyof typeof JOBS, JobHandle>;

  beforeAll(async () => {
    stage = await openRealStage();
    await stage.engine('up');
    for (const [name, options] of Object.entries(JOBS)) {
      jobs[name as keyof typeof JOBS] = await stage.submit({ name, ...options });
    }
  });

  afterAll(() => stage.close());

  const evidenceOf = async (job: JobHandle) => (await job.status()).evidence ?? [];

  it('a failed program without restarts fails its job, with its last log lines', async () => {
    const { phase, cause } = await jobs.fails.wait();
    expect({ phase, cause }).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'PodFailed', pod: 'fails-master-0', exitCode: 1 },
    });
    expect((await evidenceOf(jobs.fails))[0]).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('broken shard 7'),
    });
  });

  it('an exit code above 128 is retried under ExitCode, as often as the limit allows', async () => {
    const { phase, cause, restarts } = await jobs['code-137'].wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 1 });
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded', pod: 'code-137-master-0' });
  });

  it('an exit code of 1 is final under ExitCode', async () => {
    const { phase, cause, restarts } = await jobs['code-1'].wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 0 });
    expect(cause).toMatchObject({ reason: 'PermanentExitCode', exitCode: 1 });
  });

  it('a crash loop is reported while it continues, with pod and exit code', async () => {
    const { cause } = await untilStatus(
      jobs.loops,
      'it is reported',
      ({ cause }) => cause?.reason === 'ContainersRestarting',
    );
    expect(cause).toMatchObject({ pod: 'loops-master-0', container: 'pytorch', exitCode: 4 });
    await jobs.loops.stop();
    expect((await jobs.loops.wait()).phase).toBe('Stopped');
  });

  it('restarts in place are counted, and fail the job above the limit', async () => {
    const crash = { pod: 'in-place-master-0', container: 'pytorch', exitCode: 4 };
    const { phase, cause } = await jobs['in-place'].wait();
    expect({ phase, cause }).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'BackoffLimitExceeded', ...crash },
    });
    const { value: record } = await jobs['in-place'].evidence().next();
    const [{ log, previousLog } = {}] = record?.containers ?? [];
    expect(record).toMatchObject({ summary: crash });
    expect([...(log?.lines ?? []), ...(previousLog?.lines ?? [])]).toContain('lost shard 7');
  });

  it('a failed init container is reported with its exit code', async () => {
    const { phase, cause } = await jobs['bad-init'].wait();
    expect({ phase, reason: cause?.reason }).toEqual({ phase: 'Failed', reason: 'BackoffLimitExceeded' });
    expect((await evidenceOf(jobs['bad-init']))[0]).toMatchObject({ exitCode: 7, container: 'prepare' });
  });

  it('an OOM-killed container is reported as such', async () => {
    const { phase } = await jobs.memory.wait();
    expect(phase).toBe('Failed');
    expect((await evidenceOf(jobs.memory))[0]).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  it('a missing image is a failure to start, with the message of the runtime', async () => {
    const outcome = await jobs['no-image'].wait();
    expect(outcome).toMatchObject({
      phase: 'Failed',
      attempt: 2,
      cause: { reason: 'FailureBudgetExceeded' },
    });
    expect(courseOf(outcome)).toMatch(/ErrImagePull|ImagePullBackOff|pull/);
  });

  it('a missing ConfigMap is named, and its job runs once it exists', async () => {
    await untilStatus(jobs['late-config'], 'it is named', ({ cause }) =>
      /configmap "late" not found/.test(cause?.message ?? ''),
    );
    const late = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: stage.namespace },
    };
    await stage.cluster.create(CONFIG_MAPS, { ...late, data: { LATE: 'here' } });
    expect(await jobs['late-config'].wait()).toMatchObject({ phase: 'Completed', restarts: 0 });
  });

  it('a pod that fills the disk is evicted, replaced, and fails its job when it does so again', async () => {
    const { phase, cause, restarts } = await jobs.disk.wait();
    expect({ phase, restarts }).toEqual({ phase: 'Failed', restarts: 1 });
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded', pod: 'disk-master-0' });
    expect(cause?.message).toContain('Pod ephemeral local storage usage exceeds');
  });

  it('a program that is restarted in place ends its job by what its log says', async () => {
    const { phase, cause } = await jobs['final-in-place'].wait();
    expect({ phase, cause }).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'FinalFailure', exitCode: 42 },
    });
  });

  it('a job with proxies that never end is Completed, and leaves none of them', async () => {
    expect((await jobs.proxied.wait()).phase).toBe('Completed');
    await eventually('no pod runs', async () => (await stage.pods('proxied')).every(hasPodEnded));
  });

  it('a progress bar is progress as soon as the container runtime passes it on', async () => {
    await untilStatus(jobs['progress-bar'], 'it has got on', ({ progress }) => Number(progress) > 100);
    await jobs['progress-bar'].stop();
    expect((await jobs['progress-bar'].wait()).phase).toBe('Stopped');
  });

  it('a job is Running only when its readiness probe says so', async () => {
    const { timeline } = await untilPhase(jobs['late-ready'], 'Running');
    const states = timeline.map(({ state }) => state);
    expect(states.indexOf('Starting.Waiting')).toBeGreaterThanOrEqual(0);
    const [starting, running] = ['Starting.Waiting', 'Running'].map(
      (state) => timeline.find((entry) => entry.state === state)!.at,
    );
    expect(Date.parse(running!) - Date.parse(starting!)).toBeGreaterThanOrEqual(2_000);
    await jobs['late-ready'].stop();
    expect((await jobs['late-ready'].wait()).phase).toBe('Stopped');
  });

  it('a job ends at its deadline', async () => {
    const { phase, cause } = await jobs.deadline.wait();
    expect({ phase, reason: cause?.reason }).toEqual({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  it('a gang restarts as a new attempt, which begins when the last one is gone', async () => {
    const outcome = await jobs.ladder.wait();
    expect(outcome).toMatchObject({ phase: 'Completed', attempt: 3, restarts: 2 });
    expect(courseOf(outcome)).toMatch(/1 Restarting.Draining.*2 Restarting.Draining/s);
  });

  it('a program that hangs stalls by its log, and its gang restarts', async () => {
    const outcome = await jobs.stalls.wait();
    expect(outcome).toMatchObject({
      phase: 'Failed',
      attempt: 2,
      cause: { reason: 'FailureBudgetExceeded' },
    });
    expect(outcome.cause?.message).toMatch(/^no progress since/);
  });

  it('the objects of the jobs are deleted when they have ended', async () => {
    const ended = Object.keys(JOBS).filter((name) => name !== 'late-config' && name !== 'proxied');
    await eventually('no pod of them is left', async () => {
      const pods = (await Promise.all(ended.map((name) => stage.pods(name)))).flat();
      if (pods.length > 0) throw new Error(pods.map(({ metadata }) => metadata.name).join(', '));
      return true;
    });
  });
});
