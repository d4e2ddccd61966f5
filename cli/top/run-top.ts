import type { ExactFilter } from '../../contracts/filters.ts';
import { errorMessage } from '../../language/error-message.ts';
import { pauseMsAfter } from '../../language/pause-after-reading.ts';
import { pause } from '../../language/timers.ts';
import type { Session } from '../session/session.ts';
import { explainError } from '../shell/errors.ts';
import type { Exit } from '../shell/exit-codes.ts';
import { frame } from './frame.ts';
import { press, type TopRequest } from './keys.ts';
import { roomForJobs } from './layout.ts';
import { readPage } from './read-page.ts';
import { listTop, TopFacts } from './read-top.ts';
import type { Terminal } from './terminal.ts';
import { keyOf, type TopJob } from './top-job.ts';
import { shownJobs, type TopState, withSelection } from './top-state.ts';
import { readTypedFilter } from './typed-filter.ts';

export interface TopScope {
  /** Of the command line; what is typed is added. */
  readonly filter: ExactFilter;
  readonly limit: number;
}

/** Shows jobs until the user quits, or the terminal is gone. */
export function runTop(session: Session, scope: TopScope, terminal: Terminal): Promise<Exit> {
  return new Top(session, scope, terminal).run();
}

/** Between two lists, at least. */
const PAUSE_MS = 2_000;
/** Logs are drawn this often at most; what a key changes, at once. */
const FRAME_MS = 100;

class Top {
  readonly #session: Session;
  readonly #scope: TopScope;
  readonly #terminal: Terminal;
  readonly #facts: TopFacts;
  readonly #ended = new AbortController();
  #exit: Exit = 'ok';
  #state: TopState;
  #typed: ExactFilter = {};
  /** Ends the pause before the next list. */
  #wake = new AbortController();
  #page = new AbortController();
  #drawing: NodeJS.Timeout | undefined;
  #isRefreshing = false;

  constructor(session: Session, scope: TopScope, terminal: Terminal) {
    this.#session = session;
    this.#scope = scope;
    this.#terminal = terminal;
    this.#facts = new TopFacts(session.client);
    this.#state = {
      size: terminal.size,
      namespace: scope.filter.namespace,
      jobs: [],
      counts: {},
      sort: { isReversed: false },
      filter: { text: '', words: [] },
      index: 0,
    };
  }

  async run(): Promise<Exit> {
    const { signal } = this.#ended;
    this.#terminal.open({
      pressed: (key) => this.#press(key),
      resized: () => this.#set({ ...this.#state, size: this.#terminal.size }),
      ended: () => this.#ended.abort(),
    });
    try {
      this.#set(this.#state);
      while (!signal.aborted) await this.#listOnce(signal);
      return this.#exit;
    } finally {
      this.#page.abort();
      clearTimeout(this.#drawing);
      this.#terminal.close();
    }
  }

  async #listOnce(signal: AbortSignal): Promise<void> {
    this.#wake = new AbortController();
    const wake = AbortSignal.any([signal, this.#wake.signal]);
    const since = performance.now();
    try {
      const filter = { ...this.#scope.filter, ...this.#typed };
      const { jobs, counts } = await orEnded(listTop(this.#session.client, filter, this.#scope.limit), wake);
      this.#show({ jobs: this.#facts.with(jobs), counts, asOf: Date.now(), trouble: undefined });
      void this.#refresh();
    } catch (error) {
      if (!wake.aborted) this.#show({ trouble: errorMessage(error) });
    }
    const ms = pauseMsAfter(performance.now() - since, PAUSE_MS, Number.POSITIVE_INFINITY);
    if (!wake.aborted) await pause(ms, wake);
  }

  /** Asks the cluster what Temporal does not know of jobs. A list does not wait for that. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      const { jobs, index } = this.#state;
      const room = roomForJobs(this.#state);
      const from = Math.floor(index / room) * room;
      const seen = shownJobs(this.#state).slice(from, from + room);
      await this.#facts.refresh(jobs, new Set(seen.map(keyOf)));
      this.#show({ jobs: this.#facts.with(this.#state.jobs) });
    } catch {
      // Without a cluster, the table has what Temporal knows.
    } finally {
      this.#isRefreshing = false;
    }
  }

  #show(news: Partial<TopState>): void {
    this.#set(withSelection({ ...this.#state, ...news }), FRAME_MS);
  }

  /** Several changes within the time are one frame. */
  #set(state: TopState, withinMs = 0): void {
    this.#state = state;
    if (this.#ended.signal.aborted) return;
    if (withinMs === 0) clearTimeout(this.#drawing);
    else if (this.#drawing) return;
    this.#drawing = setTimeout(() => {
      this.#drawing = undefined;
      this.#terminal.draw(frame(this.#state));
    }, withinMs);
  }

  #press(key: string): void {
    const { state, request } = press(this.#state, key);
    this.#set(state);
    if (request) this.#perform(request);
  }

  #perform(request: TopRequest): void {
    if (request.is === 'open') void this.#open(request.page, request.job);
    else if (request.is === 'stop') void this.#stop(request.job, request.why);
    else if (request.is === 'filter') void this.#filter(request.text);
    else if (request.is === 'quit') this.#quit(request.exit);
    else this.#simple[request.is]();
  }

  readonly #simple = {
    close: () => this.#page.abort(),
    redraw: () => this.#terminal.redraw(),
    suspend: () => this.#terminal.suspend(),
  } as const;

  #quit(exit: Exit): void {
    this.#exit = exit;
    this.#ended.abort();
  }

  async #open(of: 'job' | 'why' | 'log', job: TopJob): Promise<void> {
    this.#page.abort();
    const page = new AbortController();
    this.#page = page;
    const change = (lines: (before: readonly string[]) => readonly string[]) => {
      const { page: shown } = this.#state;
      if (page.signal.aborted || shown?.of !== of) return;
      this.#set({ ...this.#state, page: { ...shown, lines: lines(shown.lines) } }, FRAME_MS);
    };
    await readPage(this.#session, { of, job, change, signal: page.signal });
  }

  async #stop({ workflowId, runId }: TopJob, why: string): Promise<void> {
    this.#show({ notice: `${workflowId}: waiting for a worker` });
    try {
      const job = await this.#session.client.find({ workflowId, run: runId });
      const outcome = await job.stop({ why });
      const said = outcome === 'requested' ? 'stop requested' : 'has already ended';
      this.#show({ notice: `${workflowId}: ${said}` });
      this.#wake.abort();
    } catch (error) {
      this.#show({ notice: `${workflowId}: ${explainError(error, { debug: false })}` });
    }
  }

  async #filter(text: string): Promise<void> {
    try {
      const { filter, words } = await readTypedFilter(text);
      this.#typed = filter;
      this.#show({ filter: { text, words }, notice: undefined });
      this.#wake.abort();
    } catch (error) {
      this.#show({ notice: errorMessage(error) });
    }
  }
}

/** Who quits, or asks for others, does not wait for an answer. */
async function orEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  return await Promise.race([work, ended.promise]).finally(() => signal.removeEventListener('abort', end));
}
