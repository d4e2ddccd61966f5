import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { ReasonCode, WaitCode } from '../../contracts/reasons.ts';
import type { WhyAnswer } from '../../contracts/types.ts';
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

/** What `why` finds out of what the status of a job says in general. */
const AGREES: Readonly<Partial<Record<ReasonCode, readonly WaitCode[]>>> = {
  Unschedulable: [
    ...(['NeverFits', 'NoNodeMatches', 'NotEnoughRoom', 'NotComputed'] as const),
    ...(['DependencyMissing', 'SchedulingGated'] as const),
  ],
  WaitingForGang: ['NeverFits', 'NoNodeMatches', 'NotEnoughRoom', 'NotComputed'],
  QuotaExceeded: ['NeverFits', 'QuotaExceeded'],
  // A pod that has a node, as its template says, waits for its kubelet.
  ContainersNotReady: ['DependencyMissing'],
};

describe('before submission', () => {
  it.each(rows)('$title', async ({ title, situation }) => {
    const file = join(folder, 'job.json');
    await writeFile(file, JSON.stringify(prepared.get(title)!.manifest));
    const env = { SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig };
    const { code, stdout, stderr } = await commandLine(['why', '-f', file, '-o', 'json'], { env });
    if (!stdout) throw new Error(stderr);
    const answer = JSON.parse(stdout) as WhyAnswer;
    expect([answer.reasons[0]?.code, code]).toEqual([situation.code, exitCodeOf(situation)]);
    if (situation.says) expect(answer.reasons[0]!.sentence).toContain(situation.says);
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
      { withinMs: 40_000 },
    );
    const { reasons } = await job.whyWaiting();
    if (situation.says && !situation.onceSubmitted) expect(reasons[0]!.sentence).toContain(situation.says);
    // Whoever finds no node for the pods is not contradicted.
    for (const { said = '', sentence } of reasons)
      if (said.startsWith('0/')) expect(sentence).not.toMatch(/there is room|would start/);
    const { phase, cause } = await statusOf(job);
    if (expected === 'Running') expect([phase, cause]).toEqual(['Running', undefined]);
    else if (expected === 'Failed') expect([phase, cause?.reason]).toEqual(['Failed', situation.code]);
    else expect(AGREES[cause!.reason] ?? cause!.reason).toContain(expected);
  });

  afterAll(async () => {
    await Promise.all([...jobs.values()].map((job) => job.stop({})));
    await Promise.all([...jobs.values()].map((job) => job.wait()));
  });
});
