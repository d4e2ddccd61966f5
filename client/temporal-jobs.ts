import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../contracts/labels.ts';
import type { Phase } from '../contracts/status.ts';
import type { CallOptions } from './client-settings.ts';
import { findWorkflowId } from './find-job.ts';
import type { JobFilter } from './job-filter.ts';
import { type HandledJob, JobHandle } from './job-handle.ts';
import type { HandleContext } from './job-run.ts';
import { countJobs, listJobs } from './list.ts';
import { manifestHashOf } from './manifest-hash.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { JobSchedules } from './schedules/job-schedules.ts';
import type { ScheduleDefaults } from './schedules/schedule-request.ts';
import { type Submission, submissionOf } from './submit.ts';
import type { JobSummary } from './summary.ts';
import { toClientError } from './temporal-errors.ts';
import { hasNoWorker } from './worker-presence.ts';

/** What `SignalboxClient` asks of Temporal. A file of its own, as it loads Temporal's client. */
export class TemporalJobs {
  readonly #context: HandleContext;
  readonly #temporal: Client;

  constructor(context: HandleContext) {
    this.#context = context;
    this.#temporal = context.temporal;
  }

  async submit(
    submission: Omit<Submission, 'workflowId' | 'hash'> & { readonly workflowId: string | undefined },
    options: CallOptions,
  ): Promise<JobHandle> {
    const workflowId = submission.workflowId ?? workflowIdOf(submission.manifest.metadata);
    const hash = manifestHashOf(submission.manifest);
    const submit = submissionOf(this.#temporal, { ...submission, workflowId, hash });
    const [{ result, ...run }, warnings] = await Promise.all([
      this.#ask(workflowId, options, submit),
      this.#warningsOf(submission.taskQueue),
    ]);
    return this.handle({ ...run, submission: result, warnings });
  }

  handle(job: HandledJob): JobHandle {
    return new JobHandle(this.#context, job);
  }

  async find(
    job: { readonly name: string; readonly namespace: string },
    options: CallOptions,
  ): Promise<JobHandle> {
    const find = () => findWorkflowId(this.#temporal, job);
    return this.handle({ workflowId: await this.#ask(workflowIdOf(job), options, find) });
  }

  async *list(filter: JobFilter, options: CallOptions): AsyncGenerator<JobSummary> {
    try {
      yield* listJobs(this.#temporal, filter, options);
    } catch (error) {
      throw toClientError(error, { workflowId: '', address: this.#context.temporalAddress });
    }
  }

  count(filter: JobFilter, options: CallOptions): Promise<Readonly<Record<Phase, number>>> {
    return this.#ask('', options, () => countJobs(this.#temporal, filter));
  }

  /** A job waits for a worker for as long as it takes, so nobody would notice. */
  async #warningsOf(taskQueue: string): Promise<readonly string[]> {
    const isAlone = await hasNoWorker(this.#temporal, taskQueue).catch(() => false);
    return isAlone
      ? [
          `No worker asks for tasks of the queue ${taskQueue}; the job begins when one does: \`signalbox up\`.`,
        ]
      : [];
  }

  schedules(defaults: ScheduleDefaults): JobSchedules {
    return new JobSchedules({ ...this.#context, defaults });
  }

  close(): Promise<void> {
    return this.#temporal.connection.close();
  }

  async #ask<T>(workflowId: string, options: CallOptions, question: () => Promise<T>): Promise<T> {
    try {
      return await retryWhileAway(this.#temporal, options, question);
    } catch (error) {
      throw toClientError(error, { workflowId, address: this.#context.temporalAddress });
    }
  }
}
