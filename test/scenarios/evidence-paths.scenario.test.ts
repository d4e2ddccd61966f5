import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Engine } from '../../demo/engine.ts';
import { FileStore } from '../../evidence/file-store.ts';
import { isPodsRecordKey } from '../../evidence/record-key.ts';
import { eventually } from '../eventually.ts';
import { untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { type Manifest, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';

/** No failed pod is deleted without a record of it, whatever deletes it. */

let stage: Stage;
let watcher: Engine;

beforeAll(async () => {
  stage = await openStage();
  [watcher] = await Promise.all([stage.engine('watcher'), stage.engine('worker')]);
});

afterAll(() => stage.close());

type Options = Partial<Parameters<typeof simulatedJob>[0]>;

/** A Master and two Workers, of which nothing is to stay. */
const aJob = (name: string, { runPolicy, ...options }: Options = {}): Manifest =>
  simulatedJob({
    ...{ name, namespace: stage.namespace, ...options },
    runPolicy: { cleanPodPolicy: 'All', ...runPolicy },
  });

/** Two Workers whose number may change while they run. */
function elasticJob(name: string): Manifest {
  const manifest = aJob(name, { master: false });
  return { ...manifest, spec: { ...manifest.spec, elasticPolicy: { minReplicas: 1, maxReplicas: 4 } } };
}

const submit = async (manifest: Manifest): Promise<JobHandle> => await stage.client.submit(manifest);

async function running(manifest: Manifest): Promise<JobHandle> {
  const job = await submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

const fails = (pod: string) => ends(pod, { exitCode: 7 }, 'Failed');
const succeeds = (pod: string) => ends(pod, { exitCode: 0 }, 'Succeeded');

async function ends(pod: string, how: { readonly exitCode: number }, phase: string): Promise<void> {
  await stage.endPod(pod, how);
  await eventually(`${pod} has ${phase}`, async () => (await stage.pod(pod)).status?.phase === phase);
}

const terminate = ({ workflowId }: JobHandle) =>
  stage.temporal.workflow.getHandle(workflowId).terminate('a test');

/** Names of all pods of a job of which the store has a record. */
async function recorded(name: string): Promise<string[]> {
  const keys = await new FileStore(sandboxLayout(stage.sandbox.dir).evidence).list(
    `${stage.namespace}/${name}`,
  );
  return keys
    .filter((key) => !isPodsRecordKey(key))
    .map((key) =>
      key
        .split('/')
        .at(-1)!
        .replace(/-[0-9a-f]{8}-[-0-9a-f]+\.json$/, ''),
    );
}

/** There is one record, of the second worker, and both history and the store know it. */
async function expectEvidence(job: JobHandle, name: string): Promise<void> {
  const pod = `${name}-worker-1`;
  expect(await recorded(name)).toEqual([pod]);
  const found = [];
  for await (const { summary } of job.evidence()) found.push(summary);
  expect(found).toMatchObject([{ pod, role: 'worker', index: 1, exitCode: 7, reason: 'Error' }]);
}

async function stopped(job: JobHandle): Promise<void> {
  await job.stop({});
  expect((await job.wait()).phase).toBe('Stopped');
}

const AT_ONCE = { initial: '0s' };

describe('the record of a failed pod', () => {
  it.each(['pod', 'role', 'gang'])('is written before it causes the restart of the %s', async (scope) => {
    const name = `by-${scope}`;
    const restart = { ladder: [{ scope }], backOff: AT_ONCE };
    const job = await running(withPolicy(aJob(name), { restart }));
    await fails(`${name}-worker-1`);
    await (scope === 'gang' ? untilAttempt(job, 2) : untilRestarted(job, 1));
    await expectEvidence(job, name);
    await stopped(job);
    // Those that were told to stop have not failed.
    await expectEvidence(job, name);
  });

  it('is written before it ends the job', async () => {
    const job = await running(aJob('ends', { worker: { replicas: 2, restartPolicy: 'Never' } }));
    await fails('ends-worker-1');
    expect(await job.wait()).toMatchObject({ phase: 'Failed', evidence: [{ pod: 'ends-worker-1' }] });
    expect(await stage.pods('ends')).toEqual([]);
    await expectEvidence(job, 'ends');
  });
});

/** The watcher is away meanwhile: what deletes the pod is the first that sees it. */
describe('the record of a pod whose failure is not reported yet', () => {
  const jobs = new Map<string, JobHandle>();
  const names = ['stopped', 'suspended', 'scaled', 'followed', 'completed', 'expired', 'orphan'];

  beforeAll(async () => {
    const expiring = { cleanPodPolicy: 'None', ttlSecondsAfterFinished: 1 };
    const manifestOf = (name: string) =>
      name === 'scaled' ? elasticJob(name) : aJob(name, name === 'expired' ? { runPolicy: expiring } : {});
    await Promise.all(names.map(async (name) => jobs.set(name, await running(manifestOf(name)))));
    await watcher.stop();
    const dies = { replicas: 2, annotations: { 'signalbox.dev/simulate': 'failed', ...EXIT_CODE } };
    // Of this one the watcher never hears at all.
    const late = aJob('late', { worker: dies, runPolicy: { activeDeadlineSeconds: 20 } });
    jobs.set('late', await submit(late));
    await Promise.all(names.map((name) => fails(`${name}-worker-1`)));
  });

  it('is written before the job is stopped', async () => {
    await stopped(jobs.get('stopped')!);
    await expectEvidence(jobs.get('stopped')!, 'stopped');
  });

  it('is written before the job is suspended', async () => {
    const job = jobs.get('suspended')!;
    await job.suspend({});
    await untilStatus(job, 'no pods remain', ({ state }) => state === 'Suspended.Resting');
    await expectEvidence(job, 'suspended');
    await stopped(job);
  });

  it('is written before its role is scaled down', async () => {
    const job = jobs.get('scaled')!;
    await job.scale({ role: 'Worker', replicas: 1 });
    await untilStatus(job, 'it is scaled', ({ state }) => state === 'Pending.Scheduling');
    expect((await stage.pods('scaled')).map(({ metadata }) => metadata.name)).toEqual(['scaled-worker-0']);
    await expectEvidence(job, 'scaled');
    await stopped(job);
  });

  it('is written before the deadline ends the job', async () => {
    const job = jobs.get('late')!;
    expect(await job.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'DeadlineExceeded' } });
    expect(await stage.pods('late')).toEqual([]);
    expect((await recorded('late')).sort()).toEqual(['late-worker-0', 'late-worker-1']);
  });

  it('is written before a job of the same name replaces a terminated one', async () => {
    await terminate(jobs.get('followed')!);
    const job = await stage.client.submit(aJob('followed'));
    await eventually('its pods run', async () => {
      const pods = await stage.pods('followed');
      return pods.length === 3 && pods.every(({ status }) => status?.phase === 'Running');
    });
    expect(await recorded('followed')).toEqual(['followed-worker-1']);
    await stopped(job);
  });

  it('is written before the job completes without it, expires, or is cleaned up', async () => {
    const [completed, orphan] = [jobs.get('completed')!, jobs.get('orphan')!];
    await terminate(orphan);
    await Promise.all(['completed', 'expired'].map((name) => succeeds(`${name}-master-0`)));
    await watcher.start();
    expect((await completed.wait()).phase).toBe('Completed');
    await expectEvidence(completed, 'completed');
    await untilLeft(stage, 'expired', []);
    expect(await recorded('expired')).toEqual(['expired-worker-1']);
    await eventually('it is cleaned up', async () => {
      const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'orphan.signalbox');
      return anchor.metadata.annotations?.[ANNOTATIONS.phase] === 'Stopped';
    });
    expect(await stage.pods('orphan')).toEqual([]);
    await expectEvidence(orphan, 'orphan');
  });
});

const EXIT_CODE = { 'signalbox.dev/simulate-exit-code': '7' } as const;
