import { expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import type {
  ArchiverDependencies,
  ReplayedHistories,
} from '../../../activities/archive/archiver-dependencies.ts';
import { ArchiverCache, ArchiverSession } from '../../../activities/archive/archiver-session.ts';
import { FIRST_BEAT } from '../../../contracts/archiver.ts';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { archiveIn } from '../../../record/archive/archive-reader.ts';
import { WatchedStore } from '../../../record/archive/watched-store.ts';
import { readArchiveLog } from '../../../record/log/read-archive-log.ts';
import { allOf } from '../../record/archive/all-of.ts';
import { SOME_ENTRIES } from '../../record/archive/some-job.ts';
import { aSigner } from '../../record/log/a-log.ts';
import { MemoryStore } from '../../record/log/memory-store.ts';
import { listed } from '../../temporal/raw-workflows.ts';

/** What one job does to the archive of all others. The servers are stand-ins: test/scenarios has the real ones. */

const NOW = Date.parse('2026-11-23T10:06:00Z');

const [SUBMITTED] = SOME_ENTRIES as readonly [LedgerEntry, LedgerEntry];
/** What a worker derives from the histories of each job. */
const LEDGERS: Readonly<Record<string, LedgerEntry>> = {
  torn: { ...SUBMITTED, message: 'progress x\ud83d' },
  impossible: { ...SUBMITTED, attempt: Number.NaN },
  deep: SUBMITTED,
  strange: SUBMITTED,
  locked: SUBMITTED,
  sound: SUBMITTED,
};

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** The input of each job, as any client of Temporal can give it. */
const INPUTS: Readonly<Record<string, object>> = {
  deep: { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(nested(20_000)) },
  strange: { metadata: { encoding: Buffer.from('of/others') }, data: Buffer.from('x') },
  locked: { metadata: { encoding: Buffer.from('binary/locked') }, data: Buffer.from('x') },
};

const startedWith = (payload: object) => ({
  eventTime: { seconds: NOW / 1000, nanos: 0 },
  workflowExecutionStartedEventAttributes: { input: { payloads: [payload] } },
});
const manifestNamed = (name: string) => ({
  metadata: ENCODING,
  data: Buffer.from(JSON.stringify({ metadata: { name } })),
});
const ENCODING = { encoding: Buffer.from('json/plain') };

/** A service that does not answer. */
const CODEC = {
  decode: async (payloads: readonly { readonly metadata?: { readonly encoding?: Uint8Array } | null }[]) => {
    const isLocked = payloads.some(({ metadata }) => String(metadata?.encoding) === 'binary/locked');
    if (isLocked) throw new TypeError('fetch failed');
    return payloads;
  },
};

const temporal = {
  options: {
    namespace: 'default',
    loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [CODEC] },
  },
  workflowService: {
    describeNamespace: async () => ({ config: { workflowExecutionRetentionTtl: { seconds: 5 * 86_400 } } }),
    describeWorkflowExecution: async () => ({}),
    listWorkflowExecutions: async () =>
      listed(
        ...Object.keys(LEDGERS).map((name) => ({
          ...{ workflowId: `job/ml/${name}`, runId: `run-${name}`, closedAt: NOW - 60_000 },
        })),
      ),
  },
  withDeadline: (_: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (workflowId: string) => ({
      fetchHistory: async () => {
        const name = workflowId.split('/')[2]!;
        return { events: [startedWith(INPUTS[name] ?? manifestNamed(name))] };
      },
      result: async () => undefined,
      query: () => Promise.reject(new Error('closed')),
    }),
  },
};

async function* ledgersOf(jobs: AsyncIterable<ReplayedHistories>) {
  for await (const { workflowId, runs } of jobs) {
    await allOf(runs);
    yield { entries: [LEDGERS[workflowId.split('/')[2]!]!] };
  }
}

const SIGNER = aSigner();
const memory = new MemoryStore();
const counted: string[] = [];
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const given = {
  ...{ temporal, ledgersOf, log, store: new WatchedStore(memory), version: '0.1.0' },
  ...{
    ready: async () => SIGNER,
    observe: () => undefined,
    countUses: (namespace: string) => {
      counted.push(namespace);
      throw new Error('no account of its devices');
    },
    evidenceStore: {},
    cluster: {},
  },
};

/** What an archiver says that looks for the first time, at this time. */
async function roundAt(now: number) {
  const signal = new AbortController().signal;
  const dependencies = { ...given, now: () => now } as unknown as ArchiverDependencies;
  const session = new ArchiverSession(dependencies, { cache: new ArchiverCache(), last: FIRST_BEAT, signal });
  await session.round();
  expect(session.isStuck).toBe(false);
  return session.beat();
}

it('a part that cannot be recorded is missing, what may be decoded later is waited for, and all others are archived', async () => {
  expect(await roundAt(NOW)).toMatchObject({
    ...{ archived: 5, waiting: 1, failures: 1, isStuck: false },
    failed: [{ workflowId: 'job/ml/locked', runId: 'run-locked', why: 'fetch failed' }],
    problem: expect.stringContaining('job/ml/locked'),
  });
  const archives = await allOf(archiveIn(memory).list());
  const missing = Object.fromEntries(archives.map(({ job }) => [job.name, job.missing]));
  expect(missing).toEqual({
    deep: [expect.stringMatching(/^the manifest and its revisions: .*200 levels of nesting, got more/)],
    impossible: [expect.stringMatching(/^entry 1 of the ledger: .*NaN/)],
    strange: ['the manifest and its revisions: Unknown encoding: of/others'],
    torn: undefined,
    sound: undefined,
  });
  const torn = archives.find(({ job }) => job.name === 'torn');
  expect(await torn?.entries()).toMatchObject([{ message: 'progress x\ufffd' }]);
  expect((await readArchiveLog(memory)).size).toBe(5);
  // Each once, and what becomes of that keeps no job from the archive.
  expect(counted).toHaveLength(5);
});

it('what is still not decoded shortly before Temporal deletes it is missing', async () => {
  expect(await roundAt(NOW + 4 * 86_400_000)).toMatchObject({ waiting: 0, failures: 0 });
  const locked = await archiveIn(memory).find({ namespace: 'ml', name: 'locked' });
  expect(locked?.job).toMatchObject({
    ...{ manifest: null, missing: ['the manifest and its revisions: fetch failed'] },
    runs: [{ runId: 'run-locked', events: 1 }],
  });
});
