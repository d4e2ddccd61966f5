import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { Phase } from '../../contracts/types.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { newestCheckpoint } from '../../record/log/newest.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from '../scenarios/archive-stage.ts';
import { type Manifest, SUCCEEDS, simulatedJob } from '../scenarios/manifests.ts';
import { openTestSandboxes, reserveTestSandboxes } from '../test-sandboxes.ts';

/** A thousand jobs, of which nothing is left but the archive. */

const JOBS = Number(process.env.SIGNALBOX_ARCHIVED_JOBS ?? 1_000);
const MINUTES = 60_000;
const atOnce = (limit: number) => ({ limit, signal: new AbortController().signal });

/** How a job ends, by its number. */
const ENDS = ['Completed', 'Failed', 'Completed', 'Stopped'] as const satisfies readonly Phase[];
const endOf = (number: number) => ENDS[number % ENDS.length]!;
const exitCodeOf = (number: number) => 1 + (number % 100);
const nameOf = (number: number) => `job-${number}`;
const NUMBERS = Array.from({ length: JOBS }, (_, number) => number);

let on: ArchiveStage;
let giveBack: (() => Promise<void>) | undefined;
const archives = new Map<string, JobArchive>();

beforeAll(async () => {
  giveBack = await reserveTestSandboxes();
  await openTestSandboxes(1);
  on = await openArchiveStage();
  await on.engine().start(on.settings);
  await timed(`${JOBS} jobs ended`, () => inParallel(NUMBERS, atOnce(16), runToEnd));
  await timed('and are archived', untilArchived);
  await on.temporal.connection.operatorService.deleteNamespace({ namespace: on.temporalNamespace });
  for await (const archive of on.archive.list()) archives.set(archive.job.name, archive);
}, 60 * MINUTES);

afterAll(async () => {
  await on?.close();
  await giveBack?.();
}, 5 * MINUTES);

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  process.stderr.write(`${what} after ${Math.round((performance.now() - start) / 1000)} s\n`);
}

async function runToEnd(number: number): Promise<void> {
  const job = await on.client.submit(jobOf(number), { why: `job number ${number}` });
  if (endOf(number) === 'Stopped') await job.stop({ by: 'bob', why: `seen enough of ${number}` });
  await job.wait();
}

function jobOf(number: number): Manifest {
  const fails = {
    'signalbox.dev/simulate': 'failed',
    'signalbox.dev/simulate-exit-code': String(exitCodeOf(number)),
  };
  const end = endOf(number);
  const annotations = end === 'Completed' ? SUCCEEDS : end === 'Failed' ? fails : undefined;
  const master = { annotations, restartPolicy: 'Never' };
  return simulatedJob({ name: nameOf(number), namespace: on.stage.namespace, master, worker: false });
}

/** In the log, too: the archiver cannot go on without its namespace. */
const untilArchived = () =>
  eventually(
    'all jobs are archived',
    async () => {
      const { size } = await newestCheckpoint(on.archive.store);
      if (size < JOBS) throw new Error(`${size} of ${JOBS}`);
      return true;
    },
    { withinMs: 30 * MINUTES },
  );

const env = () => ({ ...on.settings, HOME: on.directory, XDG_STATE_HOME: join(on.directory, '..') });

describe('after Temporal has deleted its namespace', () => {
  it('every job is in the archive', () => {
    expect([...archives.keys()].sort()).toEqual(NUMBERS.map(nameOf).sort());
  });

  it(
    'every job is explained: how it ended, why, and who asked for it',
    async () => {
      await inParallel(NUMBERS, atOnce(8), async (number) => {
        const archive = archives.get(nameOf(number))!;
        const { job } = archive;
        const entries = await archive.ledger();
        const end = endOf(number);
        expect(job.missing).toBeUndefined();
        expect(job.status.phase).toBe(end);
        expect(entries[0]).toMatchObject({
          seq: 1,
          cause: { type: 'submitted', who: { given: 'ana' }, why: `job number ${number}` },
        });
        expect(entries.at(-1)).toMatchObject({ seq: entries.length, to: end, phase: end });
        if (end === 'Stopped') {
          const asked = entries.filter(({ cause }) => cause.type === 'request');
          expect(asked.map(({ cause }) => cause)).toEqual([
            expect.objectContaining({ request: 'stop', why: `seen enough of ${number}` }),
          ]);
        }
        if (end === 'Failed') {
          expect(job.status.cause).toMatchObject({ exitCode: exitCodeOf(number) });
          const evidence = await archive.evidence();
          expect(evidence.map(({ summary }) => summary.exitCode)).toEqual([exitCodeOf(number)]);
        }
      });
    },
    10 * MINUTES,
  );

  it('the command line explains some of them', async () => {
    for (const number of [1, 3]) {
      const { code, stdout } = await signalbox(['get', nameOf(number), '--archived', '-o', 'json'], {
        env: env(),
      });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ name: nameOf(number), phase: endOf(number) });
    }
  });

  it('audit counts them by how they ended', async () => {
    const { stdout } = await signalbox(['audit', 'sql', COUNTED, '--archived', '-o', 'json'], { env: env() });
    const counts = Object.fromEntries(
      (JSON.parse(stdout) as { phase: string; jobs: number }[]).map(({ phase, jobs }) => [phase, jobs]),
    );
    const expected = Object.groupBy(NUMBERS, endOf);
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(expected).map(([phase, ones]) => [phase, ones.length])),
    );
  });

  it(
    'nothing in the archive was changed',
    async () => {
      const { code, stdout } = await signalbox(['audit', 'verify', '-o', 'json'], { env: env() });
      expect(JSON.parse(stdout)).toMatchObject({ archives: JOBS, newest: { size: JOBS }, findings: [] });
      expect(code).toBe(0);
    },
    5 * MINUTES,
  );
});

const COUNTED = 'SELECT phase, count(*)::INTEGER AS jobs FROM jobs GROUP BY phase';
