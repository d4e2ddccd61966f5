import type { Client } from '@temporalio/client';
import { LEDGER_QUERY, type LedgerPage } from '../../../contracts/ledger.ts';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { type Callers, createCallers } from '../../../record/ledger/callers.ts';
import { withClosingEntry } from '../../../record/ledger/closing-entry.ts';
import { decodedEvents } from '../../../temporal/decoded-events.ts';
import type { RunEvent } from '../../../temporal/run-chain.ts';
import { WorkerAwayError } from '../../errors/errors.ts';
import { queryJob } from '../../servers/query-job.ts';
import { failWithoutWorker } from '../../servers/worker-presence.ts';

/** How a call is made: with retries, and until when. */
export type Calling = <T>(call: () => Promise<T>) => Promise<T>;

/** How long a worker has to answer, in milliseconds. It may have to replay a run of 50,000 events first. */
const ANSWER_MS = 60_000;

/** Reads the entries of a chain of runs, run by run, each entry once and with who asked. */
export class LedgerReader {
  readonly #client: Client;
  readonly #workflowId: string;
  readonly #call: Calling;
  readonly #signal: AbortSignal | undefined;
  readonly #callers: Callers = createCallers();
  /** Runs whose events have not been read, the oldest first. */
  #unread: string[] = [];
  #lastEvent = 0;
  #last: LedgerEntry | undefined;

  /** `signal` ends what waits for a worker. */
  constructor(client: Client, workflowId: string, { call, signal }: { call: Calling; signal?: AbortSignal }) {
    this.#client = client;
    this.#workflowId = workflowId;
    this.#call = call;
    this.#signal = signal;
  }

  /** Yields the entries of a run that have not been read yet. Runs in the order of their chain. */
  async *entriesOf(runId: string): AsyncGenerator<LedgerEntry> {
    if (this.#unread.at(-1) !== runId) this.#unread.push(runId);
    try {
      yield* this.#pagesOf(runId);
    } catch (error) {
      if (!(error instanceof WorkerAwayError && (await this.#wasNeverTaken()))) throw error;
    }
  }

  async *#pagesOf(runId: string): AsyncGenerator<LedgerEntry> {
    for (let from: number | undefined = (this.#last?.seq ?? 0) + 1; from !== undefined; ) {
      const { entries, next }: LedgerPage = await this.#ask(runId, from);
      // After the entries, so that the events have all that the entries stem from.
      if (entries.some(({ cause }) => 'who' in cause)) await this.#readEvents();
      for (const entry of entries) yield this.#joined(entry);
      from = next;
    }
  }

  /** Yields what Temporal did when no code of the job ran: that it closed the last run. */
  async *closingOf(runId: string): AsyncGenerator<LedgerEntry> {
    if (this.#unread.at(-1) !== runId) this.#unread.push(runId);
    const events = await this.#readEvents();
    const known = this.#last ? [this.#last] : [];
    for (const entry of withClosingEntry(known, [{ events: [...events] }]).slice(known.length)) {
      yield this.#joined(entry);
    }
  }

  #joined(entry: LedgerEntry): LedgerEntry {
    this.#last = this.#callers.join(entry);
    return this.#last;
  }

  #ask(runId: string, from: number): Promise<LedgerPage> {
    const run = { workflowId: this.#workflowId, runId };
    const question = { name: LEDGER_QUERY, argument: { from }, timeoutMs: ANSWER_MS };
    const call = () => queryJob<LedgerPage>(this.#client, run, question);
    return this.#call(() =>
      failWithoutWorker(this.#client, {
        ...{ workflowId: run.workflowId, call, hasFallback: false },
        signal: this.#signal,
      }),
    );
  }

  /** Whether the present run was closed before a worker started it: no worker can answer queries then. */
  async #wasNeverTaken(): Promise<boolean> {
    const events = await this.#readEvents();
    const { workflowExecutionTerminatedEventAttributes, workflowExecutionTimedOutEventAttributes } =
      events.at(-1) ?? {};
    const isClosed = workflowExecutionTerminatedEventAttributes ?? workflowExecutionTimedOutEventAttributes;
    return Boolean(isClosed) && !events.some((event) => event.workflowTaskCompletedEventAttributes);
  }

  /** Returns the events of the present run. A signal may be in one run, and its entry in the next one. */
  async #readEvents(): Promise<readonly RunEvent[]> {
    const present = this.#unread.at(-1);
    let events: readonly RunEvent[] = [];
    for (const runId of this.#unread) {
      const handle = this.#client.workflow.getHandle(this.#workflowId, runId);
      const history = await this.#call(() => handle.fetchHistory());
      events = history.events ?? [];
      const news = events.filter((event) => idOf(event) > this.#lastEvent);
      for (const event of await decodedEvents(this.#client, news)) this.#callers.read(event);
      this.#lastEvent = runId === present ? Math.max(this.#lastEvent, ...news.slice(-1).map(idOf)) : 0;
    }
    this.#unread = this.#unread.slice(-1);
    return events;
  }
}

const idOf = ({ eventId }: RunEvent): number => Number(eventId);
