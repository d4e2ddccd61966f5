import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { chainOf } from '../../record/ledger/chain.ts';
import { type Ended, signalbox } from '../cli/process.ts';
import { untilRestarted } from './attempts.ts';
import { type Manifest, simulatedJob } from './manifests.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';
import { untilPhase } from './stage.ts';

/** `signalbox history` of jobs of every fate: more entries than a timeline has, several runs, terminated, invalid. */

let stage: ShortHistories;

beforeAll(async () => {
  stage = await openShortHistories();
});

afterAll(() => stage.close());

/** The timeline in the status keeps a hundred entries. */
const REQUESTS = 110;

const history = (...args: readonly string[]): Promise<Ended> =>
  signalbox(['history', ...args], {
    env: {
      TEMPORAL_ADDRESS: stage.temporalAddress,
      SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
      SIGNALBOX_NAMESPACE: stage.namespace,
    },
  });

/** The entries that a command prints as lines. */
const linesOf = ({ stdout }: Ended): string[] => stdout.trimEnd().split('\n');

const entriesOf = async (name: string, ...args: readonly string[]): Promise<LedgerEntry[]> =>
  JSON.parse((await history(name, '-o', 'json', ...args)).stdout) as LedgerEntry[];

const aJob = (name: string): Manifest => simulatedJob({ name, namespace: stage.namespace });

const whysOf = (entries: readonly LedgerEntry[]) =>
  entries.flatMap(({ cause }) => (cause.type === 'request' && cause.request === 'hold' ? [cause.why] : []));

describe('the history of a job with several runs', () => {
  let job: JobHandle;
  let followed: Ended;
  let entries: LedgerEntry[];

  beforeAll(async () => {
    job = await stage.client.submit(aJob('epic'), { why: 'the long one' });
    const following = history('epic', '--follow', '-o', 'jsonl');
    await untilPhase(job, 'Running');
    const first = await stage.runOf(job);
    for (let asked = 0; asked < REQUESTS; asked++) await job.hold({ seconds: 0, why: `hold ${asked}` });
    await stage.cluster.delete(PODS, stage.namespace, 'epic-worker-0');
    await untilRestarted(job, 1);
    expect(await stage.runOf(job)).not.toBe(first);
    await job.stop({ by: 'ana', why: 'enough seen' });
    await job.wait();
    followed = await following;
    entries = await entriesOf('epic');
  });

  it('has every entry, from the submission to the end, without gaps', () => {
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(whysOf(entries)).toEqual(Array.from({ length: REQUESTS }, (_, asked) => `hold ${asked}`));
    expect(entries[0]).toMatchObject({
      cause: { type: 'submitted', why: 'the long one', who: { given: expect.stringMatching(/\S@\S/) } },
    });
    expect(entries.at(-1)).toMatchObject({ phase: 'Stopped' });
  });

  it('has everybody who made a request, as the client reports it', () => {
    const asked = entries.flatMap(({ cause }) => ('who' in cause ? [cause.who] : []));
    expect(asked.length).toBeGreaterThan(REQUESTS);
    for (const who of asked)
      expect(who).toMatchObject({ given: expect.any(String), identity: expect.any(String) });
    expect(asked.some(({ authenticated }) => authenticated)).toBe(false);
  });

  it('is the same for a follower and for the client', async () => {
    expect(await job.history()).toEqual(entries);
    const subject = { workflowId: job.workflowId, firstRunId: await job.firstRunId() };
    const { lines } = chainOf(subject, entries);
    expect(linesOf(await history('epic', '-o', 'jsonl'))).toEqual(lines);
    expect(linesOf(followed)).toEqual(lines);
  });

  it('is printed with times, durations, events, requesters and reasons', async () => {
    const { stdout } = await history('epic');
    expect(stdout).toMatch(/^AT +FOR +ATTEMPT +STATE +WHAT\n/);
    expect(stdout).toMatch(/Z +(\d+m)?[\d.]+s +1 +Running +\S/);
    expect(stdout).toMatch(/Z +1 +.*hold 7\n +by \S+@\S+ \(claimed\)/);
    expect(stdout).toMatch(/: enough seen\n +by ana \(claimed, client \S+@\S+\)/);
  });

  it('is selected by attempt and by time', async () => {
    expect(await job.history({ attempt: 7 })).toEqual([]);
    const since = entries[20]!.at;
    expect(await entriesOf('epic', '--since', since)).toEqual(entries.filter(({ at }) => at >= since));
    expect(await job.history({ from: 30, limit: 5 })).toEqual(entries.slice(29, 34));
  });
});

it('the history of a terminated job ends with who terminated it, and why', async () => {
  const job = await stage.client.submit(aJob('terminated'));
  await untilPhase(job, 'Running');
  const following = history('terminated', '-f', '-o', 'jsonl');
  await stage.temporal.workflow.getHandle(job.workflowId).terminate('by mistake');
  await job.wait();
  const entries = await entriesOf('terminated');
  expect(entries.at(-1)).toMatchObject({
    ...{ phase: 'Stopped', reason: 'WorkflowTerminated' },
    cause: { type: 'closed', how: 'terminated', why: 'by mistake', who: { identity: expect.any(String) } },
  });
  expect(linesOf(await following)).toHaveLength(entries.length);
});

it('the history of a job that was never admitted says why', async () => {
  const manifest = { ...aJob('invalid'), spec: { pytorchReplicaSpecs: {} } };
  const args = [manifest];
  const workflowId = `job/${stage.namespace}/invalid`;
  const handle = await stage.temporal.workflow.start('trainingJob', {
    ...{ args, workflowId, taskQueue: 'signalbox' },
  });
  await handle.result().catch(() => undefined);
  const entries = await entriesOf('invalid');
  expect(entries).toMatchObject([
    { seq: 1, cause: { type: 'submitted', who: { identity: expect.any(String) } } },
    { seq: 2, phase: 'Failed', reason: 'InvalidManifest' },
  ]);
});

it('the history says for whom a job was submitted, according to its manifest', async () => {
  const annotations = { 'signalbox.dev/requested-by': 'cleo' };
  const manifest = simulatedJob({ name: 'on-behalf', namespace: stage.namespace, annotations });
  const job = await stage.client.submit(manifest);
  const source = 'annotation signalbox.dev/requested-by';
  expect((await job.history())[0]).toMatchObject({ cause: { who: { given: 'cleo', source } } });
  expect((await history('on-behalf')).stdout).toContain(`by cleo (claimed by ${source}`);
  await job.stop();
  await job.wait();
});

it('the history is replayed on this machine if no worker answers, and is the same', async () => {
  const before = linesOf(await history('epic', '-o', 'jsonl'));
  await stage.stopEngine();
  const { stdout, stderr } = await history('epic', '-o', 'jsonl');
  expect(stderr).toContain('No worker answers');
  expect(linesOf({ stdout, stderr, code: 0 })).toEqual(before);
});
