import { expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import type {
  ArchiverDependencies,
  ReplayedHistories,
} from '../../../activities/archive/archiver-dependencies.ts';
import { ArchiverCache, ArchiverSession } from '../../../activities/archive/archiver-session.ts';
import { FIRST_BEAT } from '../../../contracts/archiver.ts';
import type { LedgerEntry } from '../../../contracts/ledger.ts';
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
  sound: SUBMITTED,
};

const started = (manifest: unknown) => ({
  eventTime: { seconds: NOW / 1000, nanos: 0 },
  workflowExecutionStartedEventAttributes: {
    input: { payloads: [{ metadata: ENCODING, data: Buffer.from(JSON.stringify(manifest)) }] },
  },
});
const ENCODING = { encoding: Buffer.from('json/plain') };

const temporal = {
  options: {
    namespace: 'default',
    loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] },
  },
  workflowService: {
    describeNamespace: async () => ({ config: {} }),
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
      fetchHistory: async () => ({ events: [started({ metadata: { name: workflowId } })] }),
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

it('a job that cannot be recorded is set aside by name, and the others are archived', async () => {
  const memory = new MemoryStore();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const given = {
    ...{ temporal, ledgersOf, log, store: new WatchedStore(memory), now: () => NOW, version: '0.1.0' },
    ...{ ready: async () => aSigner(), observe: () => undefined, evidenceStore: {}, cluster: {} },
  } as unknown as ArchiverDependencies;
  const signal = new AbortController().signal;
  const session = new ArchiverSession(given, { cache: new ArchiverCache(), last: FIRST_BEAT, signal });
  await session.round();

  expect(session.isStuck).toBe(false);
  expect(session.beat()).toMatchObject({
    ...{ archived: 2, waiting: 1, failures: 1 },
    failed: [
      { workflowId: 'job/ml/impossible', runId: expect.any(String), why: expect.stringContaining('NaN') },
    ],
    problem: expect.stringContaining('job/ml/impossible'),
  });
  const archives = await allOf(archiveIn(memory).list());
  expect(archives.map(({ job }) => job.name).sort()).toEqual(['sound', 'torn']);
  const torn = archives.find(({ job }) => job.name === 'torn');
  expect(await torn?.entries()).toMatchObject([{ message: 'progress x\ufffd' }]);
  expect((await readArchiveLog(memory)).size).toBe(2);
});
