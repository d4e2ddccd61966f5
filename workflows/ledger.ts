import { defineQuery, proxySinks, setHandler, workflowInfo } from '@temporalio/workflow';
import {
  LEDGER_QUERY,
  type LedgerEntry,
  type LedgerPage,
  type LedgerRequest,
  type RequestCause,
} from '../contracts/ledger.ts';
import { LEDGER_REPLAY } from '../contracts/replay.ts';
import { positionOf } from '../machines/chart/position.ts';
import type { JobInput } from '../machines/model/job-context.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import type { MachineStep, StepCause } from '../machines/model/machine-step.ts';
import { enter, type LastEntry, type LedgerBook, NEW_BOOK } from '../machines/report/ledger-book.ts';
import {
  type LedgerNews,
  type LedgerView,
  newsOfBeginning,
  newsOfStep,
} from '../machines/report/ledger-news.ts';
import { type JobState, type Step, save } from '../machines/step.ts';
import { pageOf } from './ledger-page.ts';

/** The ledger of a job: an entry per transition and per request. Issues no commands. */
export interface Ledger {
  /** Writes an entry of a job that has no machine yet. */
  note(news: LedgerNews): void;
  /** The machine begins. */
  begun(input: JobInput, step: Step): void;
  /** The machine continues from the state that an earlier run of the workflow passed on. */
  resumed(step: Step): void;
  stepped(before: JobState, event: JobEvent, step: Step): void;
  /** The job refuses a request in its present state. */
  refused(request: RequestCause, why: string): void;
  /** Returns where the last entry left the job. */
  last(): LastEntry;
  /** Returns what the next run of the workflow needs. */
  book(): LedgerBook;
}

/** What a replay receives of a workflow. Not an interface: sinks have an index signature. */
export type ReplaySink = {
  readonly entry: (entry: LedgerEntry) => void;
  readonly step: (step: MachineStep) => void;
};

/** Keeps the entries of this run in memory for the query. `carried`: from the run before. */
export function openLedger(carried: LedgerBook = NEW_BOOK): Ledger {
  const entries: LedgerEntry[] = [];
  const sink = replaySink();
  let book = carried;
  let steps = 0;

  function note(news: LedgerNews): void {
    const entered = enter(book, news);
    book = entered.book;
    entries.push(entered.entry);
    sink?.entry(entered.entry);
  }

  function handOver(cause: StepCause, { job, effects }: Step): void {
    const { state, context } = positionOf(job.snapshot);
    steps += 1;
    sink?.step({ ...cause, number: steps, to: state, attempt: context.attempt, effects });
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
    begun: (input, step) => {
      if (sink) handOver({ type: 'begin', input }, step);
      note(newsOfBeginning({ after: viewOf(step.job), effects: step.effects }, input.at));
    },
    resumed: (step) => {
      if (sink) handOver({ type: 'resume', saved: save(step.job) }, step);
    },
    stepped: (before, event, step) => {
      const told = { before: viewOf(before), event, after: viewOf(step.job), effects: step.effects };
      if (sink) handOver({ type: 'event', event, from: told.before.position.state }, step);
      const news = newsOfStep(told, book.last?.reason);
      if (news) note(news);
    },
    refused: (request, why) => {
      const message = `the ${request.through} ${request.request} is refused: ${why}`;
      note({ ...book.last!, at: Date.now(), cause: { ...request, refused: why }, message });
    },
    last: () => book.last!,
    book: () => book,
  };
}

const viewOf = ({ snapshot, record }: JobState): LedgerView => ({ position: positionOf(snapshot), record });

/** Returns where a worker that replays the history takes entries; undefined in any other worker. */
const replaySink = (): ReplaySink | undefined =>
  workflowInfo().taskQueue.startsWith(LEDGER_REPLAY)
    ? proxySinks<{ readonly ledger: ReplaySink }>().ledger
    : undefined;
