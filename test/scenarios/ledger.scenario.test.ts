import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { UPDATES } from '../../contracts/messages.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { Engine } from '../../demo/engine.ts';
import { type Archive, archiveIn } from '../../record/archive/archive-reader.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { eventually } from '../eventually.ts';
import { lanesOf } from '../replay/recordings.ts';
import { FATES } from './ledger-fates.ts';
import {
  AT_ONCE,
  type LedgerSources,
  type LiveLedgers,
  readLedgers,
  watchLedgers,
} from './ledger-sources.ts';
import { type ObservedWorker, startObservedWorker } from './observed-worker.ts';
import type { Observed } from './observed-workflow.ts';
import { openRecordedKueue, type RecordedKueue } from './recorded-kueue.ts';
import { openShortHistories, type ShortHistories } from './short-histories.ts';

/** Ledgers of jobs of all fates, from every source, the archive too, against what their machines really did. */

const NAMES = Object.keys(FATES);

let stage: ShortHistories;
let kueue: RecordedKueue | undefined;
let worker: ObservedWorker;
let live: LiveLedgers;
let ledgers: ReadonlyMap<string, LedgerSources>;
let home: string | undefined;
let archiver: Engine;
let archive: Archive;
const ended = new Map<string, string>();
const faults = new Map<string, unknown>();

beforeAll(async () => {
  let lanes: NodeJS.ProcessEnv = {};
  stage = await openShortHistories('watcher', async (opened) => {
    kueue = await openRecordedKueue(opened);
    lanes = await lanesOf(opened);
    return lanes;
  });
  worker = await startObservedWorker(stage, lanes);
  live = watchLedgers(stage.temporal);
  await inParallel(NAMES, AT_ONCE, (name) => run(name).catch((error) => void faults.set(name, error)));
  await live.stop();
  // Not before: a replay is work for the process in which the worker runs.
  ledgers = await readLedgers(stage.temporal, ended);
  await openJobArchive();
}, 400_000);

/** Another worker archives the jobs: it has a task queue of its own, and so runs none of them. */
async function openJobArchive(): Promise<void> {
  home = await mkdtemp(join(tmpdir(), 'signalbox-ledgers-'));
  const directory = join(home, 'archive');
  const logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}-archiver.log`);
  const sandbox = { ...stage.sandbox, temporalAddress: stage.temporalAddress };
  archiver = await new Engine('worker', sandbox, { logFile }).start({
    SIGNALBOX_TASK_QUEUE: 'archiver',
    SIGNALBOX_ARCHIVE_STORE: 'files',
    SIGNALBOX_ARCHIVE_DIR: directory,
  });
  archive = archiveIn(new FileArchiveStore(directory));
}

afterAll(async () => {
  await kueue?.close();
  await archiver?.stop();
  if (home) await rm(home, { recursive: true, force: true });
  await worker?.stop();
  await stage?.close();
});

async function run(name: string): Promise<void> {
  const job = await FATES[name]!(stage, name);
  // Most fail, on purpose.
  await job.wait().catch(() => undefined);
  ended.set(name, job.workflowId);
}

function ledgerOf(name: string): LedgerSources {
  if (faults.has(name)) throw faults.get(name);
  return ledgers.get(name)!;
}

const realSteps = (name: string) => ledgerOf(name).runs.flatMap((runId) => worker.stepsOf(runId));

describe.each(NAMES)('the ledger of the job %s', (name) => {
  it('is the same from the query and from its closed histories', () => {
    const { queried, replayed, error } = ledgerOf(name);
    expect(error).toBeUndefined();
    expect(replayed).toEqual(queried);
  });

  it('is the same in the archive', async () => {
    const workflowId = ended.get(name)!;
    const archived = await eventually('it is archived', async () => {
      // An earlier job may have had its name.
      const found = await archive.find({ workflowId, runId: ledgerOf(name).runs[0] });
      if (!found) throw new Error('it is not');
      return found;
    });
    const entries = (await archived.ledger()).map(({ prev: _, ...entry }) => entry);
    expect(entries).toEqual(await stage.client.job({ workflowId }).history());
    expect(archived.job.missing).toBeUndefined();
  });

  it('was the same while the job ran', () => {
    const { runs, queried } = ledgerOf(name);
    for (const entries of runs.map((runId) => live.of(runId))) {
      const before = (entries[0]?.seq ?? 1) - 1;
      expect(entries).toEqual(queried.slice(before, before + entries.length));
    }
  });

  it('has no gaps: each entry continues from the one before', () => {
    const { queried } = ledgerOf(name);
    expect(queried[0]?.cause.type).toBe('submitted');
    for (const [index, { seq, from }] of queried.entries()) {
      expect([seq, from]).toEqual([index + 1, queried[index - 1]?.to]);
    }
  });

  it('has the transitions and effects of the machine, all and in order', () => {
    const entries = ledgerOf(name).queried;
    const steps = entries.map((entry, index) => asStep(entry, entries[index - 1]));
    expect(steps.filter(isWorthAnEntry)).toEqual(realSteps(name).map(asSeen).filter(isWorthAnEntry));
  });

  it('has every request that the machine received', () => {
    const received = ledgerOf(name)
      .queried.filter(isReceived)
      .map(({ message }) => message);
    const asked = realSteps(name).filter(({ event }) => REQUESTS.has(event));
    expect(received).toHaveLength(asked.length);
    for (const [index, { said }] of asked.entries()) expect(received[index]).toContain(said);
  });
});

it('live jobs were checked, and several continued in new runs', () => {
  const all = NAMES.filter((name) => ledgers.has(name)).map(ledgerOf);
  expect(all.length).toBe(NAMES.length);
  const seen = all.filter(({ runs }) => runs.some((runId) => live.of(runId).length > 0));
  expect(seen.length).toBeGreaterThan(NAMES.length / 2);
  expect(all.filter(({ runs }) => runs.length > 1).length).toBeGreaterThan(2);
  expect(ledgerOf('in-several-runs').runs.length).toBeGreaterThan(3);
});

interface StepFacts {
  readonly why: string;
  readonly from: string;
  readonly to: string;
  readonly attempt: number;
  readonly isNewAttempt: boolean;
  readonly effects: readonly string[];
}

const isWorthAnEntry = ({ from, to, isNewAttempt, effects }: StepFacts): boolean =>
  from !== to || isNewAttempt || effects.length > 0;

/** What an entry says of the machine; nothing, before there is one. */
function asStep(
  { from = '', to, attempt, cause, effects = [] }: LedgerEntry,
  before?: LedgerEntry,
): StepFacts {
  const isOfMachine = to !== ADMITTING && !(from === ADMITTING && isEnd(to));
  return {
    why: cause.type,
    from: isOfMachine ? from : to,
    to,
    attempt,
    isNewAttempt: before !== undefined && before.attempt !== attempt,
    effects: isOfMachine ? effects.map(({ effect }) => effect) : [],
  };
}

const ADMITTING = 'Pending.Admitting';
const isEnd = (state: string) => ['Failed', 'Stopped'].includes(state);

const asSeen = ({ event, before, after, effects }: Observed): StepFacts => ({
  why: CAUSES[event] ?? 'request',
  from: before?.state ?? ADMITTING,
  to: after.state,
  attempt: after.attempt,
  isNewAttempt: before !== undefined && before.attempt !== after.attempt,
  effects: effects.filter((type) => type !== 'tryAgain'),
});

const CAUSES: Readonly<Record<string, string>> = {
  begin: 'effect',
  effectDone: 'effect',
  effectFailed: 'effect',
  effectRefused: 'effect',
  digest: 'digest',
  deadline: 'timer',
};

const REQUESTS = new Set([
  ...['stop', 'suspend', 'resume', 'retryNow', 'release', 'extendDeadline', 'hold'],
  ...['amend', 'requestRefused'],
]);

/** Updates that are refused or change nothing, and requests before admission, do not reach the machine. */
const isReceived = ({ cause, from, to, minor }: LedgerEntry): boolean =>
  cause.type === 'request' &&
  !(cause.refused && cause.through === 'update') &&
  !(cause.request === UPDATES.apply && minor) &&
  to !== ADMITTING &&
  from !== ADMITTING;
