import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { NotifierBeat } from '../contracts/notifications.ts';
import type { ServedNamespaces } from '../contracts/served-namespaces.ts';
import { ANSWER_MS } from '../contracts/timing.ts';
import { countText } from '../language/count-text.ts';
import { asError, errorMessage } from '../language/error-message.ts';
import { withoutUndefined } from '../language/fields.ts';
import { notifierMetrics } from './metrics.ts';
import { engineNotices, engineState, readEngine } from './news/engine-state.ts';
import { type DueMessage, MessagesDue } from './news/messages-due.ts';
import { type FoundNews, NewsOfJobs } from './news/news-of-jobs.ts';
import type { ReadGoodput } from './news/with-goodput.ts';
import { openAndClosed } from './open-and-closed.ts';
import type { KeptRoutes } from './routes/kept-routes.ts';
import { addressed, tellsOwners } from './routes/owners.ts';
import type { NotificationRoutes } from './routes/parse-routes.ts';
import { isAboutEngine } from './routes/when.ts';
import { startMessage } from './start-message.ts';

/** What a notifier gives to its looks. */
export interface NotifierHost {
  readonly temporal: Client;
  readonly installation: string;
  readonly taskQueue: string;
  readonly namespaces?: ServedNamespaces;
  readonly kept: KeptRoutes;
  /** Where people reach the console. */
  readonly consoleUrl?: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Visibility shows a change that much later than others at most, while it works: a look goes back so far. */
const LAG_MS = 60_000;
/** Another process looks back further: what the one before has seen and not yet told. */
const OVERLAP_MS = 120_000;
const ENGINE_MS = 15_000;

/** What a process remembers from one activity to the next. Nothing relies on it. */
export class NewsMemory {
  readonly jobs: NewsOfJobs;
  readonly due = new MessagesDue();

  constructor(temporal: Client, readGoodput: ReadGoodput) {
    this.jobs = new NewsOfJobs(temporal, readGoodput);
  }
}

/** The work of one activity of the notifier, look by look. Times are of Temporal's clock, in epoch milliseconds. */
export class NewsSession {
  readonly #host: NotifierHost;
  readonly #memory: NewsMemory;
  readonly #now: () => number;
  readonly #from: number;
  #closedSince: number;
  #engine: NotifierBeat['engine'];
  #engineAt = Number.NEGATIVE_INFINITY;
  #unlistedSince: number | undefined;
  #started: number;
  #problem: string | undefined;
  #unread: string | undefined;

  constructor(
    host: NotifierHost,
    {
      memory,
      last,
      now,
    }: { readonly memory: NewsMemory; readonly last?: NotifierBeat; readonly now: () => number },
  ) {
    this.#host = host;
    this.#memory = memory;
    this.#now = now;
    // The first one ever begins now.
    const since = last?.since === undefined ? now() : Date.parse(last.since);
    this.#from = last?.since === undefined ? since : since - OVERLAP_MS;
    this.#closedSince = since;
    this.#engine = last?.engine ?? {};
    this.#started = last?.started ?? 0;
  }

  beat(): NotifierBeat {
    const { kept } = this.#host;
    const at = new Date(this.#now()).toISOString();
    const since = new Date(this.#closedSince).toISOString();
    const { oldestWaiting = since } = this.#memory.due;
    return {
      since: [since, oldestWaiting].sort()[0],
      ...{ engine: this.#engine, started: this.#started, at },
      routes: Object.keys(kept.routes?.routes ?? {}).length,
      ...withoutUndefined({ problem: this.#problem ?? this.#unread }),
      ...(kept.faults.length > 0 ? { faults: kept.faults.slice(0, MOST_FAULTS) } : {}),
    };
  }

  /** Never throws: what it cannot do is in the beat. */
  async look(): Promise<void> {
    try {
      const { routes } = this.#host.kept;
      if (routes) await this.#lookBy(routes);
      this.#problem = undefined;
    } catch (error) {
      const why = errorMessage(error);
      if (why !== this.#problem) this.#host.log.warn({ err: error }, 'could not look for news; trying again');
      this.#problem = why;
    }
  }

  /** Reads the file of routes again. Returns whether it says something else, or has other faults. */
  async readRoutes(): Promise<boolean> {
    const { kept, log } = this.#host;
    const before = kept.routes;
    if (!(await kept.refresh())) return false;
    // Histories are read anew only for other routes: that takes as long as there are jobs.
    if (kept.routes !== before) this.#memory.jobs.clear();
    notifierMetrics.faulty.set(kept.faults.length > 0 ? 1 : 0);
    const routes = Object.keys(kept.routes?.routes ?? {}).length;
    if (kept.faults.length === 0) log.info({ file: kept.path, routes }, 'routes read');
    else
      log.warn(
        { faults: kept.faults, routes },
        kept.routes ? FAULTY : `${FAULTY}: there are none yet, and nothing is told`,
      );
    return true;
  }

  /** What fails keeps nothing else from being told. Throws the first failure at the end. */
  async #lookBy(routes: NotificationRoutes): Promise<void> {
    const failures: Error[] = [];
    const attempt = (work: Promise<void>) =>
      work.catch((error: unknown) => {
        failures.push(asError(error));
      });
    await attempt(this.#lookAtJobs(routes));
    await attempt(this.#lookAtEngine(routes));
    const now = performance.now();
    for (const message of this.#memory.due.take(now)) await attempt(this.#start(message, routes, now));
    if (failures[0]) throw failures[0];
    notifierMetrics.lookedAt.setToCurrentTime();
  }

  async #lookAtJobs({ routes, receivers }: NotificationRoutes): Promise<void> {
    const { temporal, taskQueue, namespaces } = this.#host;
    const now = this.#now();
    const closedSince = this.#closedSince - LAG_MS;
    const listed = await openAndClosed(temporal, { taskQueue, namespaces, closedSince }).catch((error) => {
      this.#unlistedSince ??= now;
      throw error;
    });
    this.#unlistedSince = undefined;
    const asksOwner = Object.values(receivers).some(tellsOwners);
    const found = await this.#memory.jobs.look(listed, { routes, asksOwner, from: this.#from, now });
    const notices = found.notices.flatMap(({ route, notice }) => {
      const told = addressed(notice, receivers[routes[route]!.to]);
      return told ? { route, notice: told } : [];
    });
    this.#memory.due.add(notices);
    if (!found.isBehind) this.#closedSince = now;
    this.#sayUnread(found);
    if (found.failure) throw found.failure;
  }

  /** That a job cannot be read is its own fault: others are told, and the notifier looks. */
  #sayUnread({ unread: { count, why }, givenUp }: FoundNews): void {
    notifierMetrics.unread.set(count);
    if (count === 0) this.#unread = undefined;
    else if (why) this.#unread = `${countText(count, 'job')} cannot be read: ${errorMessage(why)}`;
    for (const workflowId of givenUp)
      this.#host.log.warn(
        { workflowId, err: why },
        'a job cannot be read for an hour: what is new of it is not told',
      );
  }

  async #lookAtEngine({ routes }: Pick<NotificationRoutes, 'routes'>): Promise<void> {
    const now = this.#now();
    const asking = Object.entries(routes).filter(([, { when }]) => isAboutEngine(when));
    if (asking.length === 0) return;
    if (now - this.#engineAt >= ENGINE_MS) {
      const { temporal } = this.#host;
      const read = await temporal.withDeadline(Date.now() + ANSWER_MS, () =>
        readEngine(temporal, this.#host),
      );
      this.#engine = engineState({ ...read, now, unlistedSince: this.#unlistedSince }, this.#engine);
      this.#engineAt = now;
    }
    for (const [route, { when }] of asking)
      this.#memory.due.add(engineNotices(this.#engine, when, now).map((notice) => ({ route, notice })));
  }

  async #start(message: DueMessage, { routes }: NotificationRoutes, at: number): Promise<void> {
    const { temporal, taskQueue, log } = this.#host;
    const { route, notices } = message;
    const to = routes[route]?.to;
    const isNew = to !== undefined && (await startMessage(temporal, taskQueue, { route, to, notices }));
    this.#memory.due.made(message, at);
    if (!isNew) return;
    this.#started += 1;
    notifierMetrics.started.inc({ route });
    log.info({ route, to, about: notices.length, first: notices[0]?.key }, 'message started');
  }
}

const FAULTY = 'the routes have faults; the last good ones stay';

/** A beat has room for some. */
const MOST_FAULTS = 10;
