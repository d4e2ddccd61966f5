import { TypedSearchAttributes } from '@temporalio/common';
import type { Workflow } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { WorkflowHost } from '../workflows/workflow-host.ts';
import { type Answer, type Job, jobOf, type RunInput } from '../workflows/workflow-messages.ts';

export interface Started {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly args: readonly unknown[];
  readonly identity: string;
  /** Of a chain of runs. */
  readonly firstRunId?: string;
  readonly continues?: string;
  readonly input?: Omit<RunInput, 'args' | 'info'>;
}

/** One run of a workflow: what it has received and not taken in yet, and the SDK's runtime that runs it. */
export class WorkflowExecution {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly type: string;
  readonly args: readonly unknown[];
  readonly identity: string;
  readonly host: WorkflowHost;
  readonly startedAt = Date.now();
  closedAt?: number;
  /** Number of workflow tasks. */
  tasks = 0;
  readonly #workflow: Workflow;
  readonly #started: Started;
  #inbox: Job[] = [];
  #isTerminated = false;
  #hasBegun = false;

  constructor(workflow: Workflow, started: Started) {
    this.#workflow = workflow;
    this.#started = started;
    const { workflowId, runId, firstRunId = runId, type, args, identity } = started;
    this.workflowId = workflowId;
    this.runId = runId;
    this.firstRunId = firstRunId;
    this.type = type;
    this.args = args;
    this.identity = identity;
    this.host = new WorkflowHost(workflow, Date.now());
  }

  get isOpen(): boolean {
    return this.status === 'Running';
  }

  get status() {
    const { ending } = this.host;
    if (this.#isTerminated) return 'Terminated';
    if (!ending) return 'Running';
    return ENDS[ending.type];
  }

  get hasWork(): boolean {
    return this.isOpen && (!this.#hasBegun || this.#inbox.length > 0 || this.#dueTimers().length > 0);
  }

  get nextTimerAt(): number | undefined {
    return this.isOpen ? this.host.timers[0]?.at : undefined;
  }

  /** The job that it names in the visibility store. */
  get jobName() {
    const { typedSearchAttributes: all } = this.host.info;
    return { namespace: all.get(SEARCH_ATTRIBUTES.namespace), name: all.get(SEARCH_ATTRIBUTES.name) };
  }

  receive(job: Job): void {
    this.#inbox.push(jobOf(job));
  }

  /** Returns the future answer to an update. */
  update(name: string, ...args: unknown[]): Answer {
    const { job, answer } = this.host.update(name, ...args);
    this.receive(job);
    return answer;
  }

  terminate(): void {
    if (!this.isOpen) return;
    this.#isTerminated = true;
    this.closedAt = Date.now();
  }

  /** A workflow task: the run takes in all that has come. */
  async task(): Promise<void> {
    const jobs = this.#inbox;
    this.#inbox = [];
    const due = this.#dueTimers();
    const fired = due.map(({ seq }) => jobOf({ fireTimer: { seq } }));
    await this.activate(async () => {
      this.host.timers = this.host.timers.filter((timer) => !due.includes(timer));
      if (!this.#hasBegun) await this.#begin(jobs);
      else await this.host.receives(...jobs, ...fired);
    });
  }

  /** Lets the host run, at the present time. */
  async activate(work: () => Promise<void>): Promise<void> {
    this.host.now = Date.now();
    this.tasks++;
    await work();
    if (this.host.ending) this.closedAt ??= Date.now();
  }

  async query(name: string, args: readonly unknown[]): Promise<unknown> {
    this.host.now = Date.now();
    return this.host.query(name, ...args);
  }

  next(runId: string): WorkflowExecution {
    const { ending } = this.host;
    if (ending?.type !== 'continuedAsNew') throw new Error('it does not continue as new');
    const { args, memo, searchAttributes } = ending;
    const { workflowId, type, identity } = this.#started;
    const started = {
      workflowId,
      type,
      identity,
      runId,
      args,
      firstRunId: this.firstRunId,
      continues: this.runId,
    };
    const next = new WorkflowExecution(this.#workflow, { ...started, input: { memo, searchAttributes } });
    // Callers of updates ask the next run again.
    for (const job of this.#inbox) if (job.signalWorkflow) next.receive(job);
    return next;
  }

  async #begin(jobs: Job[]): Promise<void> {
    this.#hasBegun = true;
    const { args, continues, input } = this.#started;
    const info = {
      workflowId: this.workflowId,
      runId: this.runId,
      firstExecutionRunId: this.firstRunId,
      startTime: new Date(this.startedAt),
      ...(continues ? { continuedFromExecutionRunId: continues } : {}),
    };
    const none = { memo: {}, searchAttributes: new TypedSearchAttributes() };
    await this.host.start({ ...none, ...input, args, info }, jobs);
  }

  #dueTimers = () => this.host.timers.filter(({ at }) => at <= Date.now());
}

const ENDS = {
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  continuedAsNew: 'ContinuedAsNew',
} as const;
