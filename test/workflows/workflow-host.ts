import { SuggestContinueAsNewReason, TypedSearchAttributes, type Workflow } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { ShowStatusRequest } from '../../activities/record-status.ts';
import type { ReturnQuotaRequest } from '../../activities/return-quota.ts';
import { START } from '../machines/machine-run.ts';
import { cancelled, PendingActivity } from './pending-activity.ts';
import {
  type ActivityResult,
  type Answer,
  type Command,
  decodeOne,
  type Ending,
  endingOf,
  type Job,
  jobOf,
  kindOf,
  queryOf,
  type RunInput,
  reply,
  signal,
  type Timer,
  timerOf,
  updateOf,
} from './workflow-messages.ts';
import { type RecordedMetric, WorkflowRuntime } from './workflow-runtime.ts';

/**
 * Runs workflow code in the test process, without a server: the test plays the server. It sends activations (signals,
 * updates, timers, results of activities), and reads the commands that come back.
 *
 * The SDK's own runtime runs in between, with its real scopes, conditions, timers and updates. The alternative, a real
 * worker that replays written histories, can only test whole workflows from a bundle, and each history would have to
 * predict what the workflow does. Here a test can also run single parts of a workflow, as closures. What the worker's
 * sandbox adds (replay, and the ban on non-deterministic calls) is covered by test/replay.
 */

/** Scheduled, started, completed. */
const EVENTS_OF_A_TASK = 3;

/** The state of asynchronous work. */
interface Progress<T> {
  isOver: boolean;
  result?: T;
  error?: unknown;
}

/** Returns what a run receives in its first activation, as if it had arrived before a worker started the run. */
export type Waiting = (host: WorkflowHost) => Job[];

export async function startWorkflow(
  workflow: Workflow,
  input: Partial<RunInput> = {},
  waiting: Waiting = () => [],
): Promise<WorkflowHost> {
  const host = new WorkflowHost(workflow);
  await host.start(
    { args: [], memo: {}, searchAttributes: new TypedSearchAttributes(), ...input },
    waiting(host),
  );
  return host;
}

/** Starts a workflow that does nothing by itself. A test runs parts of workflows in it. */
export const startIdleWorkflow = () => startWorkflow(() => new Promise<never>(() => undefined));

export class WorkflowHost {
  /** The server's clock, in epoch milliseconds. */
  now: number;
  /** Undefined until the run ends. */
  ending: Ending | undefined;
  /** Timers that have not fired, the next one first. */
  timers: readonly Timer[] = [];
  /** Kinds of all commands of the run, e.g. `startTimer`. */
  commands: readonly string[] = [];

  readonly #workflow: Workflow;
  readonly #runtime: WorkflowRuntime;
  readonly #activities = new Map<number, PendingActivity>();
  readonly #answers = new Map<string, Answer>();
  #history: Partial<WorkflowInfo> = {};
  #reply: unknown;

  constructor(workflow: Workflow, now = START) {
    this.now = now;
    this.#workflow = workflow;
    this.#runtime = new WorkflowRuntime(workflow, now);
  }

  async start(input: RunInput, waiting: Job[]): Promise<void> {
    this.#history = { ...input.info };
    await this.receives(...this.#runtime.initialize(input), ...waiting);
  }

  /** Delivers all jobs in one activation. */
  receives(...jobs: Job[]): Promise<void> {
    return this.#activate(jobs);
  }

  signals(name: string, ...args: unknown[]): Promise<void> {
    return this.receives(signal(name, ...args));
  }

  /** Returns an update, to be received together with something else, and its future answer. */
  update(name: string, ...args: unknown[]): { readonly job: Job; readonly answer: Answer } {
    const id = `${name}-${this.#answers.size}`;
    const answer: Answer = { isAccepted: false };
    this.#answers.set(id, answer);
    return { job: updateOf(id, name, args), answer };
  }

  async asks(name: string, ...args: unknown[]): Promise<Answer> {
    const { job, answer } = this.update(name, ...args);
    await this.receives(job);
    return answer;
  }

  async query(name: string, ...args: unknown[]): Promise<unknown> {
    await this.receives(queryOf(name, args));
    return this.#reply;
  }

  /** Runs a function of the test inside the workflow. */
  async runs<T>(work: () => T): Promise<T> {
    let given: { readonly value: T } | undefined;
    await this.#activate([], () => {
      given = { value: work() };
    });
    return given!.value;
  }

  /** Starts an asynchronous function of the test inside the workflow, and does not await it. */
  async starts<T>(work: () => Promise<T>): Promise<Progress<T>> {
    const progress: Progress<T> = { isOver: false };
    const end = (how: Partial<Progress<T>>) => void Object.assign(progress, how, { isOver: true });
    await this.runs(() => {
      work().then(
        (result) => end({ result }),
        (error) => end({ error }),
      );
    });
    return progress;
  }

  /** Advances the clock, and fires the timers that expire. Timers of the same time fire together. */
  async passes(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const next = this.timers[0]?.at;
      if (next === undefined || next > until || this.ending) break;
      this.now = next;
      await this.fires(...this.timers.filter(({ at }) => at === next));
    }
    this.now = until;
  }

  /** Fires timers at the present time, even if they have not expired. */
  async fires(...timers: readonly Timer[]): Promise<void> {
    this.timers = this.timers.filter((timer) => !timers.includes(timer));
    await this.receives(...timers.map(({ seq }) => jobOf({ fireTimer: { seq } })));
  }

  /** Sets the length of the history. From now on Temporal suggests to continue as new. */
  growsTo(
    historyLength: number,
    reason: SuggestContinueAsNewReason = SuggestContinueAsNewReason.TOO_MANY_HISTORY_EVENTS,
  ): void {
    const suggestion = { continueAsNewSuggested: true, suggestedContinueAsNewReasons: [reason] };
    this.#history = { ...this.#history, historyLength, ...suggestion };
  }

  /** Starts the run that this one continued as. */
  async nextRun(waiting: Waiting = () => []): Promise<WorkflowHost> {
    if (this.ending?.type !== 'continuedAsNew')
      throw new Error(`it has not continued as new: ${this.ending?.type}`);
    const next = new WorkflowHost(this.#workflow, this.now);
    const info = { continuedFromExecutionRunId: this.info.runId };
    await next.start({ ...this.ending, info }, waiting(next));
    return next;
  }

  /** Activities in progress, in the order of their start. */
  get activities(): readonly PendingActivity[] {
    return [...this.#activities.values()];
  }

  /** Returns the only activity in progress of this type. */
  activity(type: string): PendingActivity {
    const found = this.activities.filter((activity) => activity.type === type);
    if (found.length === 1) return found[0]!;
    const all = this.activities.map((activity) => activity.type).join(', ');
    throw new Error(`expected one activity ${type}, found ${found.length} among: ${all || 'none'}`);
  }

  /** Returns what the workflow has shown since it was asked last. */
  takeShown(): readonly ShowStatusRequest[] {
    return this.#runtime.takeShown();
  }

  /** For which pods that have ended the run has given back quota. */
  get returned(): readonly ReturnQuotaRequest[] {
    return this.#runtime.returned;
  }

  get info(): WorkflowInfo {
    return this.#runtime.info;
  }

  /** The current details, as the Temporal UI shows them. */
  get details(): string {
    return this.#runtime.details;
  }

  /** What the run has recorded on the SDK's meter. */
  get metrics(): readonly RecordedMetric[] {
    return this.#runtime.metrics;
  }

  async #activate(jobs: Job[], work?: () => void): Promise<void> {
    const { historyLength = 0, continueAsNewSuggested } = this.#history;
    // A test that makes the history long says how long.
    if (!continueAsNewSuggested)
      this.#history = { ...this.#history, historyLength: historyLength + EVENTS_OF_A_TASK };
    await this.#continueTask(jobs, work);
  }

  /** What the worker's core answers at once belongs to the same workflow task. */
  async #continueTask(jobs: Job[], work: () => void = () => undefined): Promise<void> {
    // Temporal answers queries of ended runs, too.
    const isQuery = jobs.every(({ queryWorkflow }) => queryWorkflow);
    if (this.ending && !isQuery) throw new Error(`the run has already ended: ${this.ending.type}`);
    const { now } = this;
    // Between two tasks a run learns nothing of its history.
    const history = isQuery && jobs.length > 0 ? {} : this.#history;
    const commands = await this.#runtime.activate(jobs, { now, history }, work);
    this.commands = [...this.commands, ...commands.map(kindOf)];
    const replies = this.#serve(commands);
    if (replies.length > 0) await this.#continueTask(replies);
  }

  /**
   * Processes commands like the worker's core: a cancelled activity ends at once if the server does not know it yet, or if
   * the workflow does not wait for its cancellation. Commands that follow the end of the run count, too.
   */
  #serve(commands: readonly Command[]): Job[] {
    const known = new Set(this.#activities.keys());
    return commands.flatMap((command) => {
      const { seq } = command.requestCancelActivity ?? {};
      if (seq) return this.#cancel(seq, known.has(seq));
      this.#take(command);
      return [];
    });
  }

  #cancel(seq: number, isKnown: boolean): Job[] {
    const activity = this.#activities.get(seq)!;
    activity.isCancelled = true;
    return isKnown && activity.waitsForCancellation ? [] : [this.#end(seq, cancelled(activity.type))];
  }

  #end(seq: number, result: ActivityResult): Job {
    if (!this.#activities.delete(seq)) throw new Error(`activity ${seq} has already ended`);
    return jobOf({ resolveActivity: { seq, result } });
  }

  #take(command: Command): void {
    const { startTimer, cancelTimer, scheduleActivity, updateResponse, respondToQuery } = command;
    if (startTimer) this.timers = [...this.timers, timerOf(command, this.now)].sort(byTime);
    else if (cancelTimer) this.timers = this.timers.filter(({ seq }) => seq !== cancelTimer.seq);
    else if (scheduleActivity) {
      const seq = scheduleActivity.seq!;
      const resolve = (result: ActivityResult) => this.receives(this.#end(seq, result));
      this.#activities.set(seq, new PendingActivity(command, resolve));
    } else if (updateResponse) reply(this.#answers.get(updateResponse.protocolInstanceId!)!, updateResponse);
    else if (respondToQuery) this.#reply = decodeOne(respondToQuery.succeeded?.response);
    else this.ending ??= endingOf(command);
  }
}

const byTime = (one: Timer, other: Timer) => one.at - other.at || one.seq - other.seq;
