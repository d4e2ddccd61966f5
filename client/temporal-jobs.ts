import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../contracts/labels.ts';
import type { CallOptions, SubmissionResult } from './client-settings.ts';
import { findWorkflowId } from './find-job.ts';
import { type HandleContext, JobHandle } from './job-handle.ts';
import { type JobFilter, listJobs } from './list.ts';
import { manifestHashOf } from './manifest-hash.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { type Submission, submissionOf } from './submit.ts';
import type { JobSummary } from './summary.ts';
import { toClientError } from './temporal-errors.ts';

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
    const { result, ...run } = await this.#ask(workflowId, options, submit);
    return this.handle({ ...run, submission: result });
  }

  handle(job: {
    readonly workflowId: string;
    readonly runId?: string;
    readonly firstRunId?: string;
    readonly submission?: SubmissionResult;
  }): JobHandle {
    return new JobHandle(this.#context, job);
  }

  async find(
    job: { readonly name: string; readonly namespace: string },
    options: CallOptions,
  ): Promise<JobHandle> {
    const find = () => findWorkflowId(this.#temporal, job);
    return this.handle({ workflowId: await this.#ask(workflowIdOf(job), options, find) });
  }

  async *list(filter: JobFilter): AsyncGenerator<JobSummary> {
    try {
      yield* listJobs(this.#temporal, filter);
    } catch (error) {
      throw toClientError(error, { workflowId: '', address: this.#context.temporalAddress });
    }
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
