import { asyncLocalStorage, type Context } from '@temporalio/activity';
import {
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import type { ShowStatusRequest } from '../../activities/record-status.ts';
import type { PendingActivity } from '../workflows/pending-activity.ts';
import type { ModelProcess } from './process.ts';
import type { Step } from './step.ts';
import { type StartedActivity, TASK_QUEUE } from './temporal-answers.ts';
import type { ModelTemporal } from './temporal-server.ts';
import type { WorkflowExecution } from './workflow-execution.ts';

type ActivityFunction = (request: never) => Promise<unknown>;

/** A worker: a process that takes tasks. */
export interface ModelWorker {
  readonly process: ModelProcess;
  readonly activities: Readonly<Record<string, ActivityFunction>>;
  /** Takes what a workflow shows while it runs there. */
  show(shown: ShowStatusRequest): void;
}

const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 30_000;

/** Gives tasks of workflows and activities to workers, as Temporal does: with retries, time limits and cancellations. */
export class WorkflowTasks {
  readonly #temporal: ModelTemporal;
  readonly #tickets = new Map<PendingActivity, ActivityTicket>();
  readonly #random: () => number;
  workers: readonly ModelWorker[] = [];

  constructor(temporal: ModelTemporal, random: () => number) {
    this.#temporal = temporal;
    this.#random = random;
  }

  get #running(): readonly ModelWorker[] {
    return this.workers.filter(({ process }) => process.isRunning);
  }

  activityOf(token: string): StartedActivity | undefined {
    return [...this.#tickets.values()].find((ticket) => ticket.token === token && ticket.state === 'started');
  }

  /** What can happen next. */
  steps(): Step[] {
    if (this.#running.length === 0) return [];
    const open = this.#temporal.open();
    const tasks = open
      .filter(({ hasWork }) => hasWork)
      .map((run) => ({ does: `${run.workflowId}: workflow task`, run: () => this.#task(run) }));
    const activities = [...this.#tickets.values()].flatMap((ticket) => this.#stepOf(ticket) ?? []);
    return [...tasks, ...activities];
  }

  #stepOf(ticket: ActivityTicket): Step | undefined {
    const { execution, activity } = ticket;
    const does = `${execution.workflowId}: ${activity.type}`;
    if (ticket.report) return { does: `${does} reports`, run: () => this.#report(ticket) };
    if (ticket.state === 'scheduled' && ticket.dueAt <= Date.now())
      return { does: `${does} starts`, run: () => this.#start(ticket) };
    return undefined;
  }

  /** When something is due by Temporal's clock. */
  nextAt(): number | undefined {
    const times = [...this.#tickets.values()].flatMap((ticket) => ticket.nextAt() ?? []);
    for (const { nextTimerAt } of this.#temporal.open())
      if (nextTimerAt !== undefined) times.push(nextTimerAt);
    // What is due already is a step.
    const later = times.filter((time) => time > Date.now());
    return later.length > 0 ? Math.min(...later) : undefined;
  }

  /** Notices what took too long. Returns whether anything did. */
  async timeOut(): Promise<boolean> {
    const late = [...this.#tickets.values()].filter((ticket) => ticket.isTooLate());
    for (const ticket of late) {
      if (ticket.isOverForGood()) {
        this.#tickets.delete(ticket.activity);
        const cause = new TimeoutFailure('too late', undefined, TimeoutType.SCHEDULE_TO_CLOSE);
        await this.#resolve(ticket, (activity) => activity.fails(cause, RetryState.TIMEOUT));
      } else await this.#failed(ticket, new TimeoutFailure('no heartbeat', undefined, TimeoutType.HEARTBEAT));
    }
    return late.length > 0;
  }

  async #task(run: WorkflowExecution): Promise<void> {
    await run.task();
    this.#follow(run);
  }

  /** After each activation: what it shows, new activities, cancellations, the next run. */
  #follow(run: WorkflowExecution): void {
    const { host } = run;
    for (const shown of host.takeShown()) this.#show(shown);
    for (const activity of host.activities) {
      if (!this.#tickets.has(activity)) this.#tickets.set(activity, new ActivityTicket(run, activity));
    }
    const present = new Set(host.activities);
    for (const [activity, ticket] of this.#tickets) {
      if (ticket.execution !== run || (present.has(activity) && run.isOpen)) continue;
      ticket.drop();
      this.#tickets.delete(activity);
    }
    if (run.status === 'ContinuedAsNew') this.#temporal.continueAsNew(run);
  }

  /** Ends what belonged to a run that was terminated. */
  forget(run: WorkflowExecution): void {
    this.#follow(run);
  }

  #start(ticket: ActivityTicket): void {
    ticket.start(this.#anyWorker()!);
  }

  /** The worker that has run the workflow task may be gone before it has written. */
  #show(shown: ShowStatusRequest): void {
    const worker = this.#anyWorker();
    worker?.process.run(() => worker.show(shown));
  }

  #anyWorker(): ModelWorker | undefined {
    const running = this.#running;
    return running[Math.floor(this.#random() * running.length)];
  }

  async #report(ticket: ActivityTicket): Promise<void> {
    const { report } = ticket;
    ticket.report = undefined;
    if (!report || report.attempt !== ticket.attempt || ticket.state !== 'started') return;
    if ('error' in report) return this.#failed(ticket, report.error);
    await this.#end(ticket, (activity) => activity.completes(report.result));
  }

  async #failed(ticket: ActivityTicket, error: unknown): Promise<void> {
    const { activity } = ticket;
    if (activity.isCancelled) {
      const isCancellation = error instanceof CancelledFailure || (error as Error).name === 'AbortError';
      if (isCancellation) return this.#end(ticket, (one) => one.confirmsCancellation());
      if (!(error instanceof TimeoutFailure))
        return this.#end(ticket, (one) => one.fails(error as Error, RetryState.CANCEL_REQUESTED));
      return this.#end(ticket, (one) => one.confirmsCancellation());
    }
    if (error instanceof ApplicationFailure && error.nonRetryable)
      return this.#end(ticket, (one) => one.fails(error));
    const asked = error instanceof ApplicationFailure ? error.nextRetryDelay : undefined;
    const pauseMs = asked
      ? msToNumber(asked)
      : Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (ticket.attempt - 1));
    ticket.retry(pauseMs);
  }

  async #end(ticket: ActivityTicket, how: (activity: PendingActivity) => Promise<void>): Promise<void> {
    this.#tickets.delete(ticket.activity);
    ticket.drop();
    await this.#resolve(ticket, how);
  }

  async #resolve({ execution, activity }: ActivityTicket, how: (activity: PendingActivity) => Promise<void>) {
    if (!execution.isOpen) return;
    await execution.activate(() => how(activity));
    this.#follow(execution);
  }
}

let tokens = 0;

type Report = { readonly attempt: number } & ({ readonly result: unknown } | { readonly error: unknown });

class ActivityTicket implements StartedActivity {
  readonly execution: WorkflowExecution;
  readonly activity: PendingActivity;
  attempt = 1;
  state: 'scheduled' | 'started' = 'scheduled';
  dueAt = Date.now();
  token = '';
  report?: Report;
  readonly #scheduledAt = Date.now();
  #attemptScheduledAt = Date.now();
  #startedAt = 0;
  #heartbeatAt = 0;
  #worker?: ModelWorker;

  constructor(execution: WorkflowExecution, activity: PendingActivity) {
    this.execution = execution;
    this.activity = activity;
  }

  heartbeat(): void {
    this.#heartbeatAt = Date.now();
  }

  nextAt(): number | undefined {
    const { scheduleToClose = Number.POSITIVE_INFINITY } = this.activity.timeouts;
    const over = this.#scheduledAt + scheduleToClose;
    if (this.report) return over;
    if (this.state === 'scheduled') return Math.min(over, this.dueAt);
    return Math.min(over, this.#lateAt());
  }

  #lateAt(): number {
    const { startToClose = Number.POSITIVE_INFINITY, heartbeat = Number.POSITIVE_INFINITY } =
      this.activity.timeouts;
    return Math.min(this.#startedAt + startToClose, this.#heartbeatAt + heartbeat);
  }

  isTooLate(): boolean {
    return this.isOverForGood() || (this.state === 'started' && !this.report && Date.now() >= this.#lateAt());
  }

  isOverForGood(): boolean {
    const { scheduleToClose = Number.POSITIVE_INFINITY } = this.activity.timeouts;
    return Date.now() >= this.#scheduledAt + scheduleToClose;
  }

  retry(pauseMs: number): void {
    this.attempt++;
    this.state = 'scheduled';
    this.report = undefined;
    this.dueAt = Date.now() + pauseMs;
    this.#attemptScheduledAt = this.dueAt;
    this.drop();
  }

  /** Whoever works on it does so for nobody. */
  drop(): void {
    this.token = '';
  }

  start(worker: ModelWorker): void {
    this.state = 'started';
    this.#worker = worker;
    this.#startedAt = this.#heartbeatAt = Date.now();
    this.token = `activity-${++tokens}`;
    const { attempt, token } = this;
    const context = this.#contextOf(token);
    const report = (end: { result: unknown } | { error: unknown }) => {
      if (this.token === token && worker.process.isRunning) this.report = { attempt, ...end };
    };
    worker.process.run(() =>
      asyncLocalStorage.run(context, () =>
        Promise.resolve()
          .then(() => worker.activities[this.activity.type]!(this.activity.request as never))
          .then(
            (result) => report({ result }),
            (error) => report({ error }),
          ),
      ),
    );
  }

  #contextOf(token: string) {
    const cancel = new AbortController();
    const { workflowId, runId } = this.execution;
    const silent = () => undefined;
    const context = {
      info: {
        attempt: this.attempt,
        taskToken: Buffer.from(token),
        currentAttemptScheduledTimestampMs: this.#attemptScheduledAt,
        workflowExecution: { workflowId, runId },
        taskQueue: TASK_QUEUE,
      },
      cancellationSignal: cancel.signal,
      heartbeat: () => this.#beat(token, cancel),
      log: { trace: silent, debug: silent, info: silent, warn: silent, error: silent, log: silent },
    };
    return context as unknown as Context;
  }

  /** Only a heartbeat tells an activity that it is cancelled, or not its worker's any more. */
  #beat(token: string, cancel: AbortController): void {
    if (!this.#worker?.process.isRunning) return;
    if (this.token !== token) cancel.abort(new CancelledFailure('NOT_FOUND'));
    else {
      this.#heartbeatAt = Date.now();
      if (this.activity.isCancelled) cancel.abort(new CancelledFailure('CANCELLED'));
    }
  }
}
