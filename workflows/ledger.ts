import { defineQuery, proxySinks, setHandler, workflowInfo } from '@temporalio/workflow';
import { LEDGER_QUERY, type LedgerPage, type LedgerRequest, type RequestCause } from '../contracts/ledger.ts';
import { LEDGER_REPLAY } from '../contracts/replay.ts';
import type { LedgerEntry } from '../contracts/types.ts';
import { positionOf } from '../machines/chart/position.ts';
import type { MachineStep, StepCause } from '../machines/model/machine-step.ts';
import { enter, type LastEntry, type LedgerBook, NEW_BOOK } from '../machines/report/ledger-book.ts';
import type { NewEntry } from '../machines/report/new-entry.ts';
import type { Step } from '../machines/step.ts';
import { openJobMeter } from './job-meter.ts';
import { pageOf } from './ledger-page.ts';

/** The ledger of a job: an entry per transition and per request, which metrics count. Issues no commands. */
export interface Ledger {
  /** Adds an entry that no step of the machine has made. */
  note(entry: NewEntry): void;
  /** Takes the entry of a step of the machine. `cause`: why the machine stepped, for a replay. */
  stepped(cause: StepCause, step: Step): void;
  /** The job refuses a request in its present state. */
  refused(request: RequestCause, why: string): void;
  /** Returns where the last entry left the job. */
  last(): LastEntry;
  /** Returns what the next run of the workflow needs. */
  book(): LedgerBook;
}

/** What a replay receives of a workflow. Not an interface: sinks have an index signature. */
type ReplaySink = {
  readonly entry: (entry: LedgerEntry) => void;
  readonly step: (step: MachineStep) => void;
};

/** Keeps the entries of this run in memory for the query. `carried`: from the run before. */
export function openLedger(carried: LedgerBook = NEW_BOOK): Ledger {
  const entries: LedgerEntry[] = [];
  const sink = replaySink();
  const meter = openJobMeter(carried.times);
  let book = carried;
  let steps = 0;

  function note(entry: NewEntry): void {
    const entered = enter(book, entry);
    book = entered.book;
    entries.push(entered.entry);
    sink?.entry(entered.entry);
    meter.entered(entered.entry);
  }

  function stepped(cause: StepCause, { job, effects, entry }: Step): void {
    if (sink) {
      const { state, context } = positionOf(job.snapshot);
      steps += 1;
      sink.step({ ...cause, number: steps, to: state, attempt: context.attempt, effects });
    }
    meter.stepped(cause, job);
    if (entry) note(entry);
  }

  setHandler(
    defineQuery<LedgerPage, [LedgerRequest?]>(LEDGER_QUERY),
    (asked) => pageOf(entries, asked ?? {}),
    {
      description:
        'A page of the entries of this run of the workflow. Argument: {from, limit}, both optional.',
    },
  );
  return {
    note,
    stepped,
    refused: (request, why) => {
      const message = `the ${request.through} ${request.request} is refused: ${why}`;
      note({ ...book.last!, at: Date.now(), cause: { ...request, refused: why }, message, minor: true });
    },
    last: () => book.last!,
    book: () => ({ ...book, times: meter.times() }),
  };
}

/** Returns where a worker that replays the history takes entries; undefined in any other worker. */
const replaySink = (): ReplaySink | undefined =>
  workflowInfo().taskQueue.startsWith(LEDGER_REPLAY)
    ? proxySinks<{ readonly ledger: ReplaySink }>().ledger
    : undefined;
