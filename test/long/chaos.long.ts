import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobOutcome } from '../../contracts/status.ts';
import { eventually } from '../eventually.ts';
import { Chance } from '../scenarios/chance.ts';
import { describeJob } from '../scenarios/chaos-ends.ts';
import { findLeftovers } from '../scenarios/chaos-leftovers.ts';
import { wrongResources } from '../scenarios/chaos-resources.ts';
import { overlapping } from './audited-pods.ts';
import { BLINDNESSES } from './blind-streams.ts';
import {
  foreignDigests,
  foreignWrites,
  pastTheEnd,
  troubledBystanders,
  unearnedSuccesses,
  wrongEnds,
  wrongRecords,
} from './chaos-checks.ts';
import { type ChaosJobs, openChaosJobs } from './chaos-participants.ts';
import { REST_MS, runChaos } from './chaos-run.ts';
import { type Findings, readFindings } from './findings.ts';
import { isForeignObject } from './foreign-objects.ts';
import { FORGERIES } from './forged-anchors.ts';
import { wronglyJudged } from './limits.ts';
import { COPIES } from './neighbours.ts';
import { AGAIN, JOBS, SECONDS, SEED } from './options.ts';
import { keepResults } from './results.ts';
import { EDITS } from './strangers.ts';
import { Tally } from './tally.ts';
import { openTestEnvironment, type TestEnvironment } from './test-environment.ts';

/**
 * Jobs of all kinds, half of them born as custom resources, an engine of two workers, two watchers and two bridges, and
 * whatever can happen to them: processes die or sleep, the network delays, cuts and swallows, the API server refuses, pods and nodes come to harm, a quota fills, and people
 * intervene. Judged from outside: by the API server's audit log and by Temporal's histories. test/long/README.md
 */

/** A bound for a broken system, for all that is done before and after. */
const AROUND_MS = 600_000;
const PROGRESS_MS = 10_000;
/** Enough for each stream to fail in each way. */
const EACH_FAULT_SECONDS = 400;

const tally = new Tally();
const actions: string[] = [];
const ends = new Map<string, JobOutcome>();
const closing = new AbortController();
let environment: TestEnvironment;
let chaosJobs: ChaosJobs;
let hung: readonly string[];
let findings: Findings;

beforeAll(
  async () => {
    const chance = new Chance(SEED);
    environment = await openTestEnvironment(chance, (fault) => tally.add(fault));
    const start = Date.now();
    const now = () => (Date.now() - start) / 1000;
    chaosJobs = await openChaosJobs(
      environment,
      chance,
      (fault) => void actions.push(`${now().toFixed(1)} s: ${fault}`),
    );
    const progress = setInterval(() => tellProgress(now()), PROGRESS_MS);
    hung = await runChaos(environment, chaosJobs, { tally, ends, closing }).finally(() =>
      clearInterval(progress),
    );
    findings = await readFindings(environment, chaosJobs);
    await keepResults(tally, findings.seen);
  },
  SECONDS * 1000 + REST_MS + AROUND_MS,
);

afterAll(async () => {
  closing.abort();
  if (!environment) return;
  await writeFile(join(environment.stage.sandbox.dir, 'engines', 'diary.log'), actions.join('\n'));
  await Promise.all([chaosJobs?.ledger.close(), chaosJobs?.observed.close()]);
  await environment.close();
}, AROUND_MS);

function tellProgress(seconds: number): void {
  const { live, ledger } = chaosJobs;
  const here = `${live.size} jobs live, ${ends.size} of ${JOBS} and the bystanders have ended`;
  process.stderr.write(`${seconds.toFixed()} s: ${here}, ${ledger.created} pods, ${tally.total} faults\n`);
}

/** Else with what was done to the jobs that the lines are about, and how to see it again. */
async function expectNone(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const about = chaosJobs.jobs.filter(({ name }) => lines.some((line) => line.includes(name))).slice(0, 5);
  const described = await Promise.all(about.map(({ name }) => describeJob(name, chaosJobs.control)));
  const done = actions.filter((fault) => about.some(({ name }) => fault.includes(name)));
  throw new Error([...lines, ...described, ...done, `once more: ${AGAIN}`].join('\n'));
}

describe(`${JOBS} jobs in ${SECONDS} s of chaos (SIGNALBOX_CHAOS_SEED=${SEED})`, () => {
  it('all end', () => expectNone(hung));

  it('each end as expected', () => expectNone(wrongEnds(chaosJobs.jobs, ends)));

  it('complete only by pods that were not interrupted', () => {
    const seen = [findings.pods, chaosJobs.ledger.known];
    return expectNone(
      unearnedSuccesses(chaosJobs.jobs, ends, { seen, succeeded: chaosJobs.control.succeeded }),
    );
  });

  it('never had pods of two attempts at the same time', () =>
    expectNone([...overlapping(findings.pods), ...chaosJobs.ledger.violations]));

  it('judged no limit by an outdated state', () =>
    expectNone(wronglyJudged(findings.limits, chaosJobs.observed)));

  it('did not change jobs without faults', () => expectNone(troubledBystanders(findings.limits)));

  it('received digests about their own objects only', () => {
    const { identity } = environment.stage.temporal.options;
    return expectNone(foreignDigests(findings.records, identity));
  });

  it('got no pod after their end', () =>
    expectNone(pastTheEnd(chaosJobs.jobs, findings.records, findings.pods)));

  it('are each recorded as one chain of runs, without an engine fault', () =>
    expectNone([...wrongRecords(findings.records), ...findings.unreadable]));

  it('have their ends on their resources', async () => {
    let wrong: readonly string[] = [];
    const isSaid = eventually('all resources say how their jobs ended', async () => {
      wrong = await wrongResources(environment.stage, chaosJobs.jobs, ends);
      return wrong.length === 0;
    });
    await isSaid.catch(() => expectNone(wrong));
  });

  it('leave only their records, and the pods that their clean-up policy keeps', async () => {
    let left: readonly string[] = [];
    const isClean = eventually('nothing else is left', async () => {
      left = await findLeftovers(
        chaosJobs.control,
        chaosJobs.jobs,
        ends,
        (object) => !isForeignObject(object),
      );
      return left.length === 0;
    });
    await isClean.catch(() => expectNone(left));
  });

  it('changed no object of others', async () => {
    const touched = await chaosJobs.foreignObjects.findTouched();
    await expectNone([...foreignWrites(chaosJobs.jobs, findings.requests), ...touched]);
  });

  it('met faults all the time', () => expect(tally.total).toBeGreaterThan(SECONDS));

  (SECONDS >= EACH_FAULT_SECONDS ? it : it.skip)('were troubled in each way', () => {
    const missing = [...BLINDNESSES, ...EDITS, ...FORGERIES, ...COPIES].filter(
      (fault) => !(fault in tally.byKind),
    );
    expect(missing).toEqual([]);
  });
});
