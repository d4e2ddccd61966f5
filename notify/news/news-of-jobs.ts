import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import pMap from 'p-map';
import { type JobSummary, summaryOf } from '../../client/servers/summary.ts';
import type { NamedJob, NotifiedChange } from '../../contracts/notifications.ts';
import { isFinal } from '../../contracts/status.ts';
import { asError } from '../../language/error-message.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import { matchesJob } from '../routes/matches-job.ts';
import type { Route } from '../routes/parse-routes.ts';
import type { When } from '../routes/when.ts';
import { isReadBack, withAttempt } from './enough-facts.ts';
import { nextDue, noticesOfJob } from './notices-of.ts';
import { readFacts } from './read-facts.ts';
import { type TimedState, withFacts } from './timed-states.ts';
import { UnreadJobs } from './unread-jobs.ts';
import { type ReadGoodput, withGoodput } from './with-goodput.ts';

/** A notice, and the route that tells it. */
export interface RoutedNotice {
  readonly route: string;
  readonly notice: NotifiedChange;
}

/** What a look found. */
export interface FoundNews {
  readonly notices: readonly RoutedNotice[];
  /** Why so many could not be looked at that it is not the fault of jobs. */
  readonly failure: Error | undefined;
  /** Looks have to come back to jobs that were listed by this one. */
  readonly isBehind: boolean;
  /** Jobs that cannot be read, and why one of them; the workflow ids of those that were given up just now. */
  readonly unread: { readonly count: number; readonly why?: Error };
  readonly givenUp: readonly string[];
}

/** Histories that are read at once. */
const AT_ONCE = 8;
/** So many failures are not the fault of their jobs: the rest of them waits for the next look. */
const MOST_FAILURES = 20;
/** That a program makes no steps is in no list: so often the history of a running job is read for that. */
const SILENCE_MS = 60_000;
/** The sentence of an end is written a moment after the end. */
const WORDS_MS = 3_000;

interface Watched {
  /** What the list said. */
  readonly shown: string;
  readonly states: readonly TimedState[];
  /** The newest event that was read. */
  readonly newest?: string;
  readonly readAt: number;
  /** When a stretch is due without anything new, in epoch milliseconds. */
  readonly dueAt?: number;
}

interface Looking {
  readonly routes: Readonly<Record<string, Route>>;
  /** Whether owners of jobs are told. */
  readonly asksOwner?: boolean;
  /** What was due before is no news. Epoch milliseconds, as `now`; both by Temporal's clock. */
  readonly from: number;
  readonly now: number;
}

interface Asked extends Looking {
  readonly summary: JobSummary;
  readonly job: NamedJob;
  readonly whens: readonly When[];
}

/** What a notifier knows of jobs. Nothing relies on it: another one reads the histories again. */
export class NewsOfJobs {
  readonly #temporal: Client;
  readonly #readGoodput: ReadGoodput;
  /** By workflow id. */
  readonly #jobs = new Map<string, Watched>();
  /** Runs that have closed and were looked at. */
  #closed = new Set<string>();
  readonly #unread = new UnreadJobs();

  constructor(temporal: Client, readGoodput: ReadGoodput = () => Promise.resolve(new Map())) {
    this.#temporal = temporal;
    this.#readGoodput = readGoodput;
  }

  /** Forgets all: other routes may be about other jobs. */
  clear(): void {
    this.#jobs.clear();
    this.#closed.clear();
  }

  /**
   * Returns what routes tell of all jobs that are open, or closed since the last look. One that cannot be looked at keeps nothing
   * of the others from being told: what was read is not read again.
   */
  async look(listed: readonly WorkflowExecutionInfo[], looking: Looking): Promise<FoundNews> {
    const { now } = looking;
    const due = listed.filter(({ runId }) => !this.#closed.has(runId) && !this.#unread.waits(runId, now));
    const failures: { readonly info: WorkflowExecutionInfo; readonly error: Error }[] = [];
    const lookAt = async (info: WorkflowExecutionInfo) => {
      if (failures.length >= MOST_FAILURES) return [];
      try {
        const notices = await this.#lookAt(info, looking);
        this.#unread.read(info.runId);
        return notices;
      } catch (error) {
        failures.push({ info, error: asError(error) });
        return [];
      }
    };
    const found = await pMap(due, lookAt, { concurrency: AT_ONCE });
    const areMany = failures.length >= MOST_FAILURES;
    const failed = areMany ? [] : failures.filter(({ info }) => this.#unread.failed(info.runId, now));
    this.#forgetOthers(listed);
    return {
      notices: found.flat(),
      failure: areMany ? failures[0]?.error : undefined,
      isBehind: areMany || this.#unread.areAwaited,
      unread: { count: this.#unread.size, why: areMany ? undefined : failures[0]?.error },
      givenUp: failed.map(({ info }) => info.workflowId),
    };
  }

  async #lookAt(info: WorkflowExecutionInfo, looking: Looking): Promise<readonly RoutedNotice[]> {
    const summary = summaryOf(info);
    const job = namedJobOf(summary);
    const isClosed = !isOpen(info.status.name);
    const routes = Object.entries(looking.routes).filter(([, { when }]) => matchesJob(when, job));
    const asked = { ...looking, summary, job, whens: routes.map(([, { when }]) => when) };
    const watched = routes.length > 0 ? await this.#read(asked, isClosed) : undefined;
    if (isClosed) this.#close(info);
    else if (watched) this.#jobs.set(job.workflowId, watched);
    if (!watched) return [];
    return routes.flatMap(([route, { when }]) =>
      noticesOfJob(job, watched.states, { ...looking, when }).map((notice) => ({ route, notice })),
    );
  }

  /** Returns undefined if there is nothing new. */
  async #read(asked: Asked, isClosed: boolean): Promise<Watched | undefined> {
    const { job, whens, summary, from, now, asksOwner } = asked;
    const before = this.#jobs.get(job.workflowId);
    const shown = shownOf(summary);
    if (before && !isClosed && !isToRead(before, shown, asked)) return undefined;
    const { facts, newest } = await readFacts(this.#temporal, job, {
      known: before?.newest,
      // What is known is always reached, unless the job is another one: that begins at its first event.
      isEnough: (read) => !before && isReadBack(read, { whens, from, asksOwner }),
    });
    const read = withFacts(before?.states ?? [], before ? facts : withAttempt(facts, summary.attempt));
    if (!isClosed && lacksWords(read, now)) return undefined;
    const states = whens.some(({ goodputBelow }) => goodputBelow !== undefined)
      ? await withGoodput(read, from, () => this.#readGoodput(job, now))
      : read;
    const dueAt = Math.min(...whens.flatMap((when) => nextDue(states, when, now) ?? []));
    return {
      ...{ shown, states, readAt: now, newest: newest ?? before?.newest },
      ...(Number.isFinite(dueAt) ? { dueAt } : {}),
    };
  }

  /** Another job may have the workflow id by now. */
  #close({ workflowId, runId }: WorkflowExecutionInfo): void {
    this.#closed.add(runId);
    if (this.#jobs.get(workflowId)?.shown.startsWith(runId)) this.#jobs.delete(workflowId);
  }

  #forgetOthers(listed: readonly WorkflowExecutionInfo[]): void {
    const runs = new Set(listed.map(({ runId }) => runId));
    this.#closed = new Set([...this.#closed].filter((runId) => runs.has(runId)));
    this.#unread.keepOnly(runs);
  }
}

/** What a list shows of a job's state. */
const shownOf = ({ runId, phase, reason, attempt }: JobSummary): string =>
  [runId, phase, reason, attempt].join(' ');

function isToRead(before: Watched, shown: string, { whens, now }: Asked): boolean {
  if (before.shown !== shown || (before.dueAt !== undefined && before.dueAt <= now)) return true;
  const isSilenceAsked = whens.some(({ silent }) => silent) && before.states.at(-1)?.phase === 'Running';
  return isSilenceAsked && now - before.readAt > SILENCE_MS;
}

/** An end that has happened just now, and what the job says of it is not written yet. */
function lacksWords(states: readonly TimedState[], now: number): boolean {
  const { phase, reason, cause, at } = states.at(-1) ?? {};
  if (!phase || !at || !isFinal(phase) || reason === undefined || cause) return false;
  return now - Date.parse(at) < WORDS_MS;
}

const namedJobOf = ({
  workflowId,
  runId,
  namespace,
  name,
  kind,
  submittedBy,
  labels,
}: JobSummary): NamedJob => ({
  ...{ workflowId, runId, namespace, name, kind },
  ...(submittedBy ? { submittedBy } : {}),
  ...(labels ? { labels } : {}),
});
