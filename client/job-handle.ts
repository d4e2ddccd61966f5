import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { ClusterClient } from '../cluster/client.ts';
import { type Intervention, RESUME_UPDATE, STOP_UPDATE, SUSPEND_UPDATE } from '../contracts/messages.ts';
import type { JobOutcome, JobStatus } from '../contracts/status.ts';
import { RefusedError, SignalboxError, WorkerAwayError } from './errors.ts';
import { closedRunOf, type FollowOptions, type Run, stepsOf } from './history.ts';
import type { LogLine, LogOptions } from './log-options.ts';
import { readLogs } from './logs.ts';
import { outcomeOf } from './outcome.ts';
import { askStatus } from './status.ts';
import { type JobSummary, summaryOf } from './summary.ts';
import { GRPC, grpcErrorOf, translated } from './temporal-errors.ts';

/** What a handle needs of the client that gave it. */
export interface HandleContext {
  readonly temporal: Client;
  readonly temporalAddress: string;
  readonly cluster: () => Promise<ClusterClient>;
}

/** How long a worker has to answer a question, in milliseconds. */
const ANSWER_MS = 10_000;

/** One job: what it does, how it ended, and the means to stop it. */
export class JobHandle {
  readonly workflowId: string;
  readonly #context: HandleContext;
  #run: Run | undefined;

  constructor(context: HandleContext, job: { readonly workflowId: string; readonly runId?: string }) {
    this.#context = context;
    this.workflowId = job.workflowId;
    this.#run = job.runId === undefined ? undefined : { workflowId: job.workflowId, runId: job.runId };
  }

  /** What the job says of itself. An ended job answers from its record, a live one needs a worker (`WorkerAwayError`). */
  status(): Promise<JobStatus> {
    return this.#ask(async () => {
      const described = await this.#describe();
      const run = { workflowId: this.workflowId, runId: described.runId };
      if (described.status.name === 'RUNNING') return askStatus(this.#context.temporal, run, ANSWER_MS);
      return outcomeOf(this.#context.temporal, run);
    });
  }

  /** What Temporal has on record, without asking a worker. */
  summary(): Promise<JobSummary> {
    return this.#ask(async () => summaryOf(await this.#describe()));
  }

  /**
   * The outcome, once there is one: Completed, Failed and Stopped alike. Waits through restarts of servers and
   * workers, for as long as it takes; abort `signal` to give up (it throws the signal's reason).
   */
  wait(options: FollowOptions = {}): Promise<JobOutcome> {
    return this.#ask(async () => {
      const last = await closedRunOf(this.#context.temporal, await this.#startingRun(), options);
      return outcomeOf(this.#context.temporal, last);
    });
  }

  /**
   * Asks the job to stop: its pods are removed, then it ends as Stopped. Returns when the request is on record;
   * `wait` tells when it is done. Stopping an ended job does nothing.
   */
  stop(request: Intervention): Promise<'requested' | 'already-ended'> {
    return this.#ask(async () => {
      if ((await this.#describe()).status.name !== 'RUNNING') return 'already-ended';
      await this.#update(STOP_UPDATE, request);
      return 'requested';
    });
  }

  /**
   * Removes the job's pods, services and group until it is resumed; no deadline runs meanwhile. Returns when the request
   * is on record. A job that is suspended already, or has ended, refuses it.
   */
  suspend(request: Intervention): Promise<void> {
    return this.#ask(() => this.#update(SUSPEND_UPDATE, request));
  }

  /** Starts the pods of a suspended job again, all of them, as a new attempt. Another job refuses it. */
  resume(request: Intervention): Promise<void> {
    return this.#ask(() => this.#update(RESUME_UPDATE, request));
  }

  /** Calls back with the present status, then with each change, until the end; gives the outcome. */
  follow(onStatus: (status: JobStatus) => void, options: FollowOptions = {}): Promise<JobOutcome> {
    return this.#ask(async () => {
      let told = '';
      const tell = (status: JobStatus) => {
        const now = `${status.attempt}/${status.restarts}/${status.state}/${status.timeline.length}`;
        if (now !== told) onStatus(status);
        told = now;
      };
      let last = await this.#startingRun();
      for await (const run of stepsOf(this.#context.temporal, last, options)) {
        last = run;
        await askStatus(this.#context.temporal, run, ANSWER_MS).then(tell, options.onInterrupted);
      }
      const outcome = await outcomeOf(
        this.#context.temporal,
        await closedRunOf(this.#context.temporal, last, options),
      );
      tell(outcome);
      return outcome;
    });
  }

  /** Lines of the job's log; see LogOptions for which pods. Needs access to the cluster. */
  async *logs(options: LogOptions = {}): AsyncGenerator<LogLine> {
    const described = await this.#ask(() => this.#describe());
    const { name, namespace, phase } = summaryOf(described);
    const firstRunId = described.raw.workflowExecutionInfo?.firstRunId || described.runId;
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, ...(options.signal ? [options.signal] : [])]);
    const job = { name, namespace, phase, firstRunId, end: () => this.wait({ signal }) };
    try {
      yield* readLogs(await this.#context.cluster(), job, options);
    } finally {
      ended.abort();
    }
  }

  #describe() {
    return this.#context.temporal.workflow.getHandle(this.workflowId).describe();
  }

  /** Retention can take the first runs of a long job away, while the present run always exists. */
  async #startingRun(): Promise<Run> {
    if (this.#run && (await this.#exists(this.#run))) return this.#run;
    this.#run = { workflowId: this.workflowId, runId: (await this.#describe()).runId };
    return this.#run;
  }

  async #exists({ workflowId, runId }: Run): Promise<boolean> {
    try {
      await this.#context.temporal.workflow.getHandle(workflowId, runId).describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async #update(update: string, request: Intervention): Promise<void> {
    const { temporal } = this.#context;
    try {
      const handle = temporal.workflow.getHandle(this.workflowId);
      await temporal.withDeadline(Date.now() + ANSWER_MS, () =>
        handle.executeUpdate(update, { args: [request] }),
      );
    } catch (error) {
      if (isUnheard(error)) throw new WorkerAwayError(this.workflowId, error);
      if (error instanceof WorkflowUpdateFailedError) throw refusal(error);
      throw error;
    }
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof SignalboxError) throw error;
      throw translated(error, { workflowId: this.workflowId, address: this.#context.temporalAddress });
    }
  }
}

/** What the job itself says to a request that it cannot follow. */
const refusal = (error: WorkflowUpdateFailedError) =>
  new RefusedError(`The job refuses: ${error.cause?.message ?? error.message}.`, { cause: error });

function isUnheard(error: unknown): boolean {
  const code = grpcErrorOf(error)?.code;
  const name = (error as Error).name;
  return code === GRPC.deadlineExceeded || name === 'WorkflowUpdateRPCTimeoutOrCancelledError';
}
