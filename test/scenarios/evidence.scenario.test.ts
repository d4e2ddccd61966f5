import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import { NoEvidenceError } from '../../client/errors/errors.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { EvidenceChoice } from '../../client/use-cases/pods/evidence.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import type { EvidenceRecord } from '../../contracts/types.ts';
import { allOf } from '../../language/all-of.ts';
import { signalbox } from '../cli/process.ts';
import { untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { type LocalJobOptions, localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';
import { historyText } from './workflow-history.ts';

/** What is known of failed pods afterwards. They are processes on the local node: their logs are real. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  await stage.engine('up');
});

afterAll(() => stage.close());

type Options = Omit<LocalJobOptions, 'namespace'> & { readonly policy?: object };

async function submit({ policy = {}, ...options }: Options): Promise<JobHandle> {
  const manifest = localJob({ restartPolicy: 'Never', ...options, namespace: stage.namespace });
  return await stage.client.submit(withPolicy(manifest, policy));
}

async function failed(options: Options): Promise<JobHandle> {
  const job = await submit(options);
  await expect(job.wait()).resolves.toMatchObject({ phase: 'Failed' });
  expect(await stage.pods(options.name)).toEqual([]);
  return job;
}

/** The only record of a job. */
async function evidenceOf(job: JobHandle, choice: EvidenceChoice = {}): Promise<EvidenceRecord> {
  const records: EvidenceRecord[] = [];
  for await (const record of job.evidence(choice)) records.push(record);
  expect(records).toHaveLength(1);
  return records[0]!;
}

const AT_ONCE = { initial: '0s' };

describe('the record of a failed pod', () => {
  it('has exit code, reason and message, log, node with its conditions, and events', async () => {
    const job = await failed({
      name: 'fails',
      script: 'echo loading; echo CUDA error: 700 >&2; exit 3',
      container: { terminationMessagePolicy: 'FallbackToLogsOnError' },
    });
    const record = await evidenceOf(job);
    const pod = { pod: 'fails-master-0', role: 'master', index: 0, attempt: 1, node: 'local' };
    const end = { exitCode: 3, reason: 'Error', message: expect.stringContaining('CUDA error: 700') };
    expect(record.summary).toMatchObject({ ...pod, container: 'pytorch', ...end });
    expect(record.containers).toMatchObject([
      { name: 'pytorch', state: { terminated: end }, log: { lines: ['loading', 'CUDA error: 700'] } },
    ]);
    expect(record.node).toMatchObject({ name: 'local', unschedulable: false });
    expect(record.node?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'True' }),
    );
    expect(record.events.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['Scheduled', 'Started']),
    );
    expect(record.incomplete).toBeUndefined();
  });

  it('has the signal that ended it', async () => {
    const job = await failed({ name: 'killed', script: 'kill -KILL $$$$' });
    const { summary, containers } = await evidenceOf(job);
    expect(summary).toMatchObject({ exitCode: 137, signal: 9 });
    expect(containers[0]?.state?.terminated).toMatchObject({ exitCode: 137, signal: 9 });
  });

  it('has both runs of a container that was restarted in place', async () => {
    const first = 'touch /state/failed; echo first run; exit 3';
    const script = `if [ -e /state/failed ]; then echo second run; exec sleep 600; fi; ${first}`;
    const job = await submit({ name: 'twice', script, restartPolicy: 'OnFailure' });
    await untilRestarted(job, 1);
    await job.stop({});
    await job.wait();
    const { summary, containers } = await evidenceOf(job);
    expect(summary).toMatchObject({ exitCode: 3, reason: 'Error' });
    expect(containers).toMatchObject([
      {
        restarts: 1,
        state: { running: expect.anything() },
        lastState: { terminated: { exitCode: 3 } },
        log: { lines: ['second run'] },
        previousLog: { lines: ['first run'] },
      },
    ]);
  });

  it('is available while its container is restarted in place', async () => {
    const job = await submit({ name: 'loops', script: 'echo boom >&2; exit 3', restartPolicy: 'OnFailure' });
    await untilStatus(job, 'it is restarted', ({ restarts }) => restarts > 0);
    const { summary, containers, pod, incomplete } = await evidenceOf(job);
    expect(summary).toMatchObject({ pod: 'loops-master-0', attempt: 1, node: 'local', exitCode: 3 });
    expect([pod.phase, summary.ref]).toEqual(['Running', undefined]);
    expect(containers[0]?.previousLog?.lines).toEqual(['boom']);
    expect(incomplete).toEqual([expect.stringContaining('none is stored before the pod fails')]);
    expect(await evidenceOf(job, { pod: 'loops-master-0', attempt: 1 })).toMatchObject({
      summary: { exitCode: 3 },
    });
    await expect(evidenceOf(job, { attempt: 2 })).rejects.toThrow(NoEvidenceError);
    await job.stop({});
    await job.wait();
  });

  it('is that of its attempt, after the gang has restarted', async () => {
    const script =
      'echo life $SIGNALBOX_ATTEMPT; if [ "$SIGNALBOX_ATTEMPT" = 1 ]; then exit 134; fi; sleep 600';
    const policy = { restart: { ladder: [{ scope: 'gang' }], backOff: AT_ONCE } };
    const job = await submit({ name: 'again', script, restartPolicy: 'ExitCode', policy });
    await untilAttempt(job, 2);
    const { summary, containers } = await evidenceOf(job);
    expect(summary).toMatchObject({ pod: 'again-master-0', attempt: 1, exitCode: 134 });
    expect(containers[0]?.log?.lines).toEqual(['life 1']);
    await job.stop({});
    await job.wait();
  });
});

describe('the record of a long log has', () => {
  const COUNT = 'i=0; while [ $i -lt 250 ]; do i=$((i+1)); echo line $i; done; exit 1';
  const lines = (from: number) => Array.from({ length: 251 - from }, (_, i) => `line ${from + i}`);

  it('the last hundred lines', async () => {
    const { containers } = await evidenceOf(await failed({ name: 'long', script: COUNT }));
    expect(containers[0]?.log?.lines).toEqual(lines(151));
  });

  it('the number of lines that the policy says', async () => {
    const policy = { evidence: { logLines: 3 } };
    const { containers } = await evidenceOf(await failed({ name: 'three', script: COUNT, policy }));
    expect(containers[0]?.log?.lines).toEqual(lines(248));
  });

  it('at most the end of a huge line', async () => {
    const script = 'echo early; head -c 300000 /dev/zero | tr "\\0" x; echo THE END; exit 1';
    const { containers } = await evidenceOf(await failed({ name: 'huge', script }));
    const { lines = [], isCut } = containers[0]?.log ?? {};
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^x+THE END$/);
    expect(lines[0]!.length).toBeLessThanOrEqual(64 * 1024);
    expect(isCut).toBe(true);
  });
});

it('no log line but that of the error is in Temporal’s history, in the cluster, or in the engine’s log', async () => {
  const policy = {
    restart: { ladder: [{ scope: 'gang', times: 1 }], backOff: AT_ONCE },
    failures: { rules: [{ class: 'leak', pattern: 'a sec[r]et' }], classes: { leak: { budget: 1 } } },
    progress: { log: 'step=([0-9]+)' },
  };
  const error = 'ValueError: bad token=abcdefgh12345';
  const script = `echo step=1; echo "a se""cret of the program"; echo "${error}"; exit 3`;
  const job = await failed({ name: 'quiet', script, policy });
  const records: EvidenceRecord[] = [];
  for await (const record of job.evidence()) records.push(record);
  const secret = 'a secret of the program';
  expect(records.map(({ containers }) => containers[0]?.log?.lines)).toEqual([
    ['step=1', secret, error],
    ['step=1', secret, error],
  ]);
  const history = await historyText(stage.temporal, job);
  // Not by its content: a history is long.
  expect(history.includes('"matches":[0]')).toBe(true);
  expect(history.includes(secret)).toBe(false);
  expect(history.includes('ValueError: bad token=(hidden)')).toBe(true);
  expect(history.includes('abcdefgh12345\\n') || history.includes('token=abcdefgh12345"')).toBe(false);
  const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'quiet.signalbox');
  expect(JSON.stringify(anchor)).not.toContain(secret);
  expect(JSON.parse(anchor.data?.status ?? '{}')).toMatchObject({
    cause: { error: { line: 'ValueError: bad token=(hidden)', pod: 'quiet-master-0', pods: 1 } },
  });
  const log = join(stage.sandbox.dir, 'engines', `${stage.namespace}-up.log`);
  expect(await readFile(log, 'utf8')).not.toContain(secret);
});

it('the line of the rank that failed first says why, in outcome and lists; advice says what failures have in common', async () => {
  const script = [
    'if [ "$RANK" = 0 ]; then sleep 2; echo "RuntimeError: Connection closed by peer"; exit 134; fi',
    'echo "step=7 loss=0.5"; echo "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."; exit 134',
  ].join('; ');
  const policy = {
    restart: { ladder: [{ scope: 'gang', times: 2 }], backOff: AT_ONCE },
    progress: { log: 'epoch ([0-9]+)' },
  };
  const job = await failed({ name: 'crowded', script, workers: 1, restartPolicy: 'ExitCode', policy });
  const { cause, advice } = await job.status();
  expect(cause?.error).toMatchObject({
    ...{ pod: 'crowded-worker-0', node: 'local', signature: 'GpuOutOfMemory', class: 'memory', pods: 1 },
    line: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
  });
  expect(cause?.remedy).toMatch(
    /^The GPU has too little memory .* --pod crowded-worker-0` has its last lines/,
  );
  expect(advice).toMatchObject({ blames: 'node', failures: 3, nodes: ['local'] });
  const listed = await allOf(stage.client.list({ name: 'crowded', namespace: stage.namespace }));
  expect(listed.map(({ errorLine }) => errorLine)).toEqual([cause?.error?.line]);
  const env = { TEMPORAL_ADDRESS: stage.sandbox.temporalAddress, SIGNALBOX_NAMESPACE: stage.namespace };
  expect((await signalbox(['list', '-o', 'wide'], { env })).stdout).toMatch(/ERROR[\s\S]*CUDA out of memory/);
  const why = await signalbox(['why', 'crowded'], { env });
  expect(why.stdout).toMatch(/^ {2}error {4}torch.OutOfMemoryError/m);
  expect(why.stdout).toMatch(/^ {2}advice {3}The last 3 attempts ended alike/m);
  expect((await signalbox(['history', 'crowded'], { env })).stdout).toContain(
    'Error): torch.OutOfMemoryError',
  );
});

it('evidence is printed by the command line, also for a deleted pod', async () => {
  const { sandbox, namespace } = stage;
  const env = {
    TEMPORAL_ADDRESS: sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
    SIGNALBOX_NAMESPACE: namespace,
    SIGNALBOX_EVIDENCE_DIR: sandboxLayout(sandbox.dir).evidence,
  };
  const job = await failed({ name: 'tailed', script: 'echo the reason; exit 5' });
  const { code, stdout } = await signalbox(['evidence', 'tailed'], { env });
  expect(code).toBe(0);
  expect(stdout).toContain(`PyTorchJob ${namespace}/tailed  tailed-master-0`);
  expect(stdout).toMatch(/how +exit code 5, Error/);
  expect(stdout).toMatch(/the reason/);
  const json = await signalbox(['evidence', 'tailed', '--pod', 'tailed-master-0', '-o', 'json'], { env });
  expect(JSON.parse(json.stdout)).toEqual([await evidenceOf(job)]);
  const none = await signalbox(['evidence', 'tailed', '--attempt', '2'], { env });
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('tailed-master-0 (attempt 1)') });
});
