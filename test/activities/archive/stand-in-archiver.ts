import { WorkflowNotFoundError } from '@temporalio/client';
import { defaultDataConverter } from '@temporalio/common';
import type {
  ArchiverDependencies,
  ReplayedHistories,
} from '../../../activities/archive/archiver-dependencies.ts';
import { ArchiverCache, ArchiverSession } from '../../../activities/archive/archiver-session.ts';
import { findChain } from '../../../activities/archive/job-chain.ts';
import { type ArchiverBeat, FIRST_BEAT } from '../../../contracts/archiver.ts';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { WatchedStore } from '../../../record/archive/watched-store.ts';
import type { LogSigner } from '../../../record/log/signer.ts';
import type { RunHistory } from '../../../temporal/run-chain.ts';
import { allOf } from '../../record/archive/all-of.ts';
import { SOME_ENTRIES } from '../../record/archive/some-job.ts';
import { aSigner } from '../../record/log/a-log.ts';
import { MemoryStore } from '../../record/log/memory-store.ts';
import { listed } from '../../temporal/raw-workflows.ts';

/** An archiver whose servers are stand-ins: test/scenarios has the real ones. */

const NOW = Date.parse('2026-11-23T10:06:00Z');
/** When all jobs closed. */
export const CLOSED = new Date(NOW - 60_000).toISOString();

const [SUBMITTED] = SOME_ENTRIES as readonly [LedgerEntry, LedgerEntry];

const ENCODING = { encoding: Buffer.from('json/plain') };
const NOT_FOUND = new WorkflowNotFoundError('not found', 'job/ml/gone', undefined);

const closedRun = (name: string) => ({
  ...{ workflowId: `job/ml/${name}`, runId: `run-${name}`, closedAt: Date.parse(CLOSED) },
});

const started = (manifest: unknown) => ({
  eventTime: { seconds: NOW / 1000, nanos: 0 },
  workflowExecutionStartedEventAttributes: {
    input: { payloads: [{ metadata: ENCODING, data: Buffer.from(JSON.stringify(manifest)) }] },
  },
});

export interface StandInArchiver {
  readonly store: MemoryStore;
  readonly signer: LogSigner;
  /** Looks for ended jobs, as an activity does whose worker remembers nothing. */
  round(): Promise<ArchiverBeat>;
  /** Does something once, before a file with this key is written. */
  beforeWriting(key: string, work: () => Promise<unknown>): void;
  /** What it finds of a run that Temporal has deleted. */
  keptRun(runId: string): Promise<RunHistory | undefined>;
}

interface Shared {
  readonly store: MemoryStore;
  readonly signer: LogSigner;
}

/** Finds these jobs. `shared`: the store and the key of another one. */
export function anArchiver(names: readonly string[], shared?: Shared): StandInArchiver {
  const hooks = new Map<string, () => Promise<unknown>>();
  const before = async (call: string, key: string) => {
    const work = call === 'create' ? hooks.get(key) : undefined;
    hooks.delete(key);
    await work?.();
  };
  const store = shared?.store ?? new MemoryStore(new Map(), before);
  const signer = shared?.signer ?? aSigner();
  const dependencies = {
    ...{ temporal: temporalWith(names), store: new WatchedStore(store), now: () => NOW, version: '0.1.0' },
    ledgersOf: async function* ledgersOf(jobs: AsyncIterable<ReplayedHistories>) {
      for await (const { runs } of jobs) {
        await allOf(runs);
        yield { entries: [SUBMITTED] };
      }
    },
    ...{
      ready: async () => signer,
      observe: () => undefined,
      countUses: () => undefined,
      evidenceStore: {},
      cluster: {},
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  } as unknown as ArchiverDependencies;
  const signal = new AbortController().signal;
  return {
    ...{ store, signer },
    round: async () => {
      const session = new ArchiverSession(dependencies, {
        cache: new ArchiverCache(),
        last: FIRST_BEAT,
        signal,
      });
      await session.round();
      return session.beat();
    },
    beforeWriting: (key, work) => void hooks.set(key, work),
    keptRun: async (runId) => {
      const { runs } = await findChain(dependencies, { workflowId: 'job/ml/gone', runId });
      return runs[0]?.load();
    },
  };
}

const temporalWith = (names: readonly string[]) => ({
  options: { namespace: 'default', loadedDataConverter: { ...defaultDataConverter, payloadCodecs: [] } },
  workflowService: {
    describeNamespace: async () => ({ config: {} }),
    describeWorkflowExecution: async () => ({}),
    getWorkflowExecutionHistory: () => Promise.reject(NOT_FOUND),
    listWorkflowExecutions: async () => listed(...names.map(closedRun)),
  },
  withDeadline: (_: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (workflowId: string) => ({
      fetchHistory: async () => {
        if (workflowId === 'job/ml/gone') throw NOT_FOUND;
        return { events: [started({ metadata: { name: workflowId } })] };
      },
      result: async () => undefined,
      query: () => Promise.reject(new Error('closed')),
    }),
  },
});
