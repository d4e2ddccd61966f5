import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { REASONS, type ReasonCode, type WaitCode } from '../../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { JobStatus, LedgerEntry, WhyAnswer } from '../../contracts/types.ts';
import { commandLine } from '../cli/in-process.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { openStage, type Stage } from './stage.ts';
import { exitCodeOf, SITUATIONS } from './why-situations.ts';
import { type Prepared, prepareSituations } from './why-stage.ts';

/** What `why` says of each situation, before and after submission, on a real API server and scheduler. */

let stage: Stage;
let folder: string;
let prepared: ReadonlyMap<string, Prepared>;
let remove: () => Promise<void>;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'why-'));
  ({ prepared, remove } = await prepareSituations(stage.cluster, SITUATIONS));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await remove();
  await stage.close();
});

const rows = SITUATIONS.map((situation) => ({ ...situation, situation }));

/** A status says in general what `why` says in detail (docs/why.md). */
const isDetailOf = (code: WaitCode, reason: ReasonCode): boolean =>
  (reason === 'ContainersNotReady' && code === 'DependencyMissing') ||
  (REASONS[reason].shownIn === 'status' &&
    (REASONS[code].shownIn === 'why' || code === 'NeverFits' || code === 'DependencyMissing'));

/** The first reason of a job, wherever users look. */
async function reasonsOf(job: JobHandle, namespace: string): Promise<Readonly<Record<string, unknown>>> {
  const asData = async <T>(command: string): Promise<T> => {
    const args = [command, 'train', '-n', namespace, '-o', 'json'];
    const { stdout, stderr } = await commandLine(args, { env: environment(stage) });
    if (!stdout) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
  const workflow = stage.temporal.workflow.getHandle(job.workflowId);
  const { typedSearchAttributes } = await workflow.describe();
  const metadata = await workflow.query<{ readonly currentDetails: string }>('__temporal_workflow_metadata');
  return {
    get: (await asData<JobStatus>('get')).cause?.reason,
    history: (await asData<readonly LedgerEntry[]>('history')).at(-1)!.reason,
    why: (await asData<WhyAnswer>('why')).explanation?.reason,
    status: (await workflow.query<JobStatus>('status')).cause?.reason,
    details: /\*\*(?:What it waits for|Why it ended):\*\* `(\w+)`/.exec(metadata.currentDetails)?.[1],
    search: typedSearchAttributes.get(SEARCH_ATTRIBUTES.reason),
  };
}

const environment = ({ sandbox }: Stage) => ({
  SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
  TEMPORAL_ADDRESS: sandbox.temporalAddress,
});

describe('before submission', () => {
  it.each(rows)('$title', async ({ title, situation }) => {
    const file = join(folder, 'job.json');
    await writeFile(file, JSON.stringify(prepared.get(title)!.manifest));
    const { code, stdout, stderr } = await commandLine(['why', '-f', file, '-o', 'json'], {
      env: environment(stage),
    });
    if (!stdout) throw new Error(stderr);
    const answer = JSON.parse(stdout) as WhyAnswer;
    expect([answer.reasons[0]?.code, code]).toEqual([situation.code, exitCodeOf(situation)]);
    if (situation.says) expect(answer.reasons[0]!.sentence).toContain(situation.says);
    if (situation.remedy) expect(answer.reasons[0]!.remedy).toContain(situation.remedy);
    if (situation.who) expect(answer.reasons[0]!.who).toBe(situation.who);
    if (situation.note) expect(answer.notes?.join('\n')).toContain(situation.note);
  });
});

describe('after submission', () => {
  const jobs = new Map<string, JobHandle>();

  beforeAll(async () => {
    for (const [title, { manifest }] of prepared) jobs.set(title, await stage.client.submit(manifest));
  });

  it.each(rows)('$title', async ({ title, situation }) => {
    const job = jobs.get(title)!;
    const expected = situation.onceSubmitted ?? situation.code ?? 'Running';
    await eventually(
      `it is ${expected}`,
      async () => {
        const { phase, reasons } = await job.whyWaiting();
        const found = phase === 'Running' || phase === 'Failed' ? phase : reasons[0]?.code;
        if (found !== expected) throw new Error(`${phase}: ${JSON.stringify(reasons)}`);
        return true;
      },
      { withinMs: 90_000 },
    );
    const { reasons } = await job.whyWaiting();
    if (situation.says && !situation.onceSubmitted) expect(reasons[0]!.sentence).toContain(situation.says);
    if (situation.remedy && !situation.onceSubmitted) expect(reasons[0]!.remedy).toContain(situation.remedy);
    // Whoever finds no node for the pods is not contradicted.
    for (const { said = '', sentence } of reasons)
      if (said.startsWith('0/')) expect(sentence).not.toMatch(/there is room|would start/);
    const { phase, cause } = await statusOf(job);
    if (reasons[0]?.sentence.includes('the largest node has')) expect(cause?.reason).toBe('NeverFits');
    if (expected === 'Running') expect([phase, cause]).toEqual(['Running', undefined]);
    else if (expected === 'Failed')
      expect([phase, cause?.reason]).toEqual(['Failed', situation.failsWith ?? situation.code]);
    else if (cause!.reason !== expected) expect(isDetailOf(expected, cause!.reason)).toBe(true);
  });

  it.each(rows)('says so wherever users look: $title', async ({ title }) => {
    const job = jobs.get(title)!;
    const { namespace } = prepared.get(title)!;
    await eventually('all give the same first reason', async () => {
      const reasons = await reasonsOf(job, namespace);
      if (new Set(Object.values(reasons)).size > 1) throw new Error(JSON.stringify(reasons));
      return true;
    });
  });

  afterAll(async () => {
    await Promise.all([...jobs.values()].map((job) => job.stop({})));
    await Promise.all([...jobs.values()].map((job) => job.wait()));
  });
});
