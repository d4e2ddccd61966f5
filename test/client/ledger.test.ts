import { describe, expect, it, jest } from '@jest/globals';
import {
  type Client,
  QueryNotRegisteredError,
  ServiceError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import {
  type AskedChain,
  followLedger,
  type HistoryOptions,
  readLedger,
} from '../../client/use-cases/observe/ledger.ts';
import type { LedgerRequest } from '../../contracts/ledger.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { RunEvent } from '../../temporal/run-chain.ts';
import { entriesOf, recorded, signalled, submitted, whoIn } from '../record/ledger/events.ts';

/** A run of a chain, as Temporal and a worker know it. */
interface KnownRun {
  readonly events: readonly RunEvent[];
  readonly entries: readonly LedgerEntry[];
  /** Temporal no longer has it. */
  readonly isGone?: true;
  /** No worker answers for it. */
  readonly isMute?: true;
  /** Temporal asks no worker: the last workflow task failed until the run was closed. */
  readonly isRefused?: true;
}

const PAGE = 1_000;
const pageOf = (entries: readonly LedgerEntry[], { from = 1 }: LedgerRequest) => {
  const rest = entries.filter(({ seq }) => seq >= from);
  return { entries: rest.slice(0, PAGE), ...(rest.length > PAGE ? { next: from + PAGE } : {}) };
};

/** Runs `run-1`, `run-2` ... of a job, of which the last is open, unless an event closed it. */
function chainOf(runs: readonly KnownRun[], isOpenNow = false): AskedChain {
  const numbered = runs.map(({ events, ...run }, index) => {
    const last = index === runs.length - 1;
    const next: RunEvent = {
      workflowExecutionContinuedAsNewEventAttributes: { newExecutionRunId: `run-${index + 2}` },
    };
    const first = index === 0 ? [] : [recorded.started({}, `run-${index}`)];
    const all = [...first, ...events, ...(last ? [] : [next])];
    return {
      ...run,
      events: all.map((event, position) => ({ ...event, eventId: position + 1 }) as never as RunEvent),
    };
  });
  const runOf = (runId: string) => {
    const run = numbered[Number(runId.replace('run-', '')) - 1];
    if (!run || run.isGone) throw new WorkflowNotFoundError('gone', 'job/ml/train', runId);
    return run;
  };
  const historyOf = async ({ execution, historyEventFilterType }: HistoryRequest) => {
    const { events } = runOf(execution.runId);
    return { history: { events: [historyEventFilterType === 2 ? events.at(-1) : events[0]] } };
  };
  const getHandle = (_: string, runId: string) => ({
    describe: async () => ({ runId, status: { name: isClosed(runOf(runId)) ? 'TERMINATED' : 'RUNNING' } }),
    fetchHistory: async () => ({ events: runOf(runId).events }),
    query: async (_name: string, request: LedgerRequest) => {
      if (runOf(runId).isRefused) throw refused();
      if (runOf(runId).isMute) throw new QueryNotRegisteredError('nobody', 3);
      return pageOf(runOf(runId).entries, request);
    },
  });
  const client = {
    options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [] } },
    workflow: { getHandle },
    workflowService: { getWorkflowExecutionHistory: historyOf },
    withDeadline: (_: unknown, call: () => unknown) => call(),
    withAbortSignal: (_: unknown, call: () => unknown) => call(),
  };
  const isOver = !isOpenNow && isClosed(runs.at(-1)!);
  return {
    client: client as never as Client,
    described: {
      ...{ workflowId: 'job/ml/train', runId: `run-${runs.length}` },
      status: { name: isOver ? 'TERMINATED' : 'RUNNING' },
      raw: { workflowExecutionInfo: { firstRunId: 'run-1' } },
    } as never,
    call: (work) => work(),
  };
}

const isClosed = ({ events }: Pick<KnownRun, 'events'>) =>
  events.some((event) => event.workflowExecutionTerminatedEventAttributes);

function refused(): ServiceError {
  const details = 'Cannot query workflow due to Workflow Task in failed state.';
  const cause = Object.assign(new Error(details), { code: 9, details, metadata: {} });
  return new ServiceError('Failed to query Workflow', { cause });
}

interface HistoryRequest {
  readonly execution: { readonly runId: string };
  readonly historyEventFilterType: number;
}

async function ledgerOf(runs: readonly KnownRun[], options: HistoryOptions = {}): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(chainOf(runs), options)) entries.push(entry);
  return entries;
}

const DIGEST = { type: 'digest' } as const;
const numbersOf = (entries: readonly LedgerEntry[]) => entries.map(({ seq }) => seq);
const ana = { identity: '1@laptop', subject: 'ana' };

describe('the ledger of a chain of runs', () => {
  it('is read page by page and run by run, without a limit', async () => {
    const all = entriesOf(...Array.from({ length: 10_000 }, () => DIGEST));
    const runs = [all.slice(0, 4_500), all.slice(4_500, 4_500), all.slice(4_500)];
    expect(await ledgerOf(runs.map((entries) => ({ entries, events: [] })))).toEqual(all);
  });

  it('has who asked, also if the entry of a signal is in the next run', async () => {
    const [first, second, third] = entriesOf(submitted(), DIGEST, signalled('stop', { given: 'ana' }));
    const runs = [
      { entries: [first!], events: [recorded.started(ana), recorded.signalled('stop', { by: 'ana' }, ana)] },
      { entries: [second!], events: [] },
      { entries: [third!], events: [] },
    ];
    const authenticated = { type: 'jwt', name: 'ana' };
    expect((await ledgerOf(runs)).map(whoIn)).toEqual([
      { identity: '1@laptop', authenticated },
      undefined,
      { given: 'ana', identity: '1@laptop', authenticated },
    ]);
  });

  it('begins with the oldest run that Temporal still has', async () => {
    const all = entriesOf(DIGEST, DIGEST, DIGEST);
    const runs = all.map((entry) => ({ entries: [entry], events: [] }));
    expect(numbersOf(await ledgerOf([{ ...runs[0]!, isGone: true }, ...runs.slice(1)]))).toEqual([2, 3]);
  });

  it('asks for no run before the first', async () => {
    const chain = chainOf([{ entries: entriesOf(DIGEST), events: [] }], true);
    const events = jest.spyOn(chain.client.workflowService, 'getWorkflowExecutionHistory');
    for await (const { seq } of readLedger(chain, {})) expect(seq).toBe(1);
    expect(events).not.toHaveBeenCalled();
  });

  it('ends with the termination, also of a job that no worker has started', async () => {
    const events = [recorded.started(ana), recorded.terminated(ana)];
    const entries = entriesOf(submitted(), DIGEST);
    expect(numbersOf(await ledgerOf([{ entries, events }]))).toEqual([1, 2, 3]);
    const [first, last, ...more] = await ledgerOf([{ entries: [], events, isMute: true }]);
    expect([first?.cause.type, last?.cause.type, more]).toEqual(['submitted', 'closed', []]);
    expect(whoIn(last!)).toMatchObject({ authenticated: { name: 'ana' } });
  });

  it('is selected by attempt, time, number and limit', async () => {
    const all = entriesOf(DIGEST, DIGEST, DIGEST, DIGEST).map((entry, index) => ({
      ...entry,
      attempt: 1 + Math.floor(index / 2),
      at: `2026-11-23T18:00:0${index}.000Z`,
    }));
    const runs = [{ entries: all, events: [] }];
    expect(numbersOf(await ledgerOf(runs, { attempt: 2 }))).toEqual([3, 4]);
    expect(numbersOf(await ledgerOf(runs, { since: new Date('2026-11-23T18:00:01Z') }))).toEqual([2, 3, 4]);
    expect(numbersOf(await ledgerOf(runs, { from: 2, limit: 2 }))).toEqual([2, 3]);
    expect(await ledgerOf(runs, { limit: 0 })).toEqual([]);
  });

  it('is replayed from where no worker answers, where a replay is possible', async () => {
    const all = entriesOf(submitted(), DIGEST, signalled('stop'));
    const events = [recorded.started(ana), recorded.signalled('stop', {}, ana)];
    const runs: KnownRun[] = [
      { entries: all.slice(0, 2), events },
      { entries: all.slice(2), events: [], isMute: true },
    ];
    await expect(ledgerOf(runs)).rejects.toMatchObject({ code: 'WorkerAway' });
    const replayed = await ledgerOf(runs, { replay: async () => all });
    expect(numbersOf(replayed)).toEqual([1, 2, 3]);
    expect(whoIn(replayed[2]!)).toMatchObject({ identity: '1@laptop' });
  });
});

describe('a ledger that is followed', () => {
  const events = [
    recorded.started(ana),
    { workflowTaskCompletedEventAttributes: {} },
    recorded.terminated(ana),
  ];
  const all = entriesOf(submitted(), DIGEST);
  const runs: KnownRun[] = [{ entries: all, events, isRefused: true }];
  const following = async (options: HistoryOptions = {}) => {
    const entries: LedgerEntry[] = [];
    for await (const entry of followLedger(chainOf(runs, true), options, {})) entries.push(entry);
    return entries;
  };

  it('ends with an error if Temporal will never ask a worker about it', async () => {
    await expect(following()).rejects.toMatchObject({
      code: 'WorkerAway',
      message: expect.stringContaining('Temporal asks no worker about job/ml/train'),
    });
  });

  it('is then replayed, where a replay is possible', async () => {
    expect(numbersOf(await following({ replay: async () => all }))).toEqual([1, 2, 3]);
  });
});
