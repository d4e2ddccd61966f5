import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../contracts/labels.ts';
import type { Phase } from '../contracts/status.ts';
import type { Application } from './apply/apply-job.ts';
import type { AppliedJob, ApplyOptions } from './apply/apply-options.ts';
import type { CallOptions } from './client-settings.ts';
import { findWorkflowId } from './find-job.ts';
import type { HandledJob } from './handled-job.ts';
import { JobArchiver } from './job-archiver.ts';
import type { JobFilter } from './job-filter.ts';
import { JobHandle } from './job-handle.ts';
import type { JobName } from './job-name.ts';
import type { HandleContext } from './job-run.ts';
import { countJobs, listJobs } from './list.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { findRun, jobsOfName, type NamedJobs } from './runs-of-name.ts';
import { JobSchedules } from './schedules/job-schedules.ts';
import type { ScheduleDefaults } from './schedules/schedule-request.ts';
import { type JobSubmission, submitJob } from './submit-job.ts';
import type { JobSummary } from './summary.ts';
import { toClientError } from './temporal-errors.ts';

/** The calls of `SignalboxClient` to Temporal. A separate file, because it loads Temporal's client. */
export class TemporalJobs {
  readonly #context: HandleContext;
  readonly #temporal: Client;

  constructor(context: HandleContext) {
    this.#context = context;
    this.#temporal = context.temporal;
  }

  async submit(submission: JobSubmission, options: CallOptions): Promise<JobHandle> {
    return this.handle(await submitJob(this.#context, submission, options));
  }

  async apply(application: Application, options: ApplyOptions): Promise<AppliedJob> {
    const { applyJob } = await import('./apply/apply-job.ts');
    const { job, ...applied } = await applyJob(this.#context, application, options);
    return { ...applied, job: this.handle(job) };
  }

  handle(job: HandledJob): JobHandle {
    return new JobHandle(this.#context, job);
  }

  async find(job: JobName, options: CallOptions): Promise<JobHandle> {
    const find = () => findWorkflowId(this.#temporal, job);
    return this.handle({ workflowId: await this.#ask(workflowIdOf(job), options, find) });
  }

  async findRun(named: NamedJobs, run: string, options: CallOptions): Promise<JobHandle> {
    const workflowId = 'workflowId' in named ? named.workflowId : workflowIdOf(named);
    return this.handle(await this.#ask(workflowId, options, () => findRun(this.#temporal, named, run)));
  }

  ofName(named: NamedJobs, options: CallOptions): Promise<readonly JobSummary[]> {
    const workflowId = 'workflowId' in named ? named.workflowId : workflowIdOf(named);
    return this.#ask(workflowId, options, () => jobsOfName(this.#temporal, named));
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

  schedules(defaults: ScheduleDefaults): JobSchedules {
    return new JobSchedules({ ...this.#context, defaults });
  }

  archiver(): JobArchiver {
    return new JobArchiver(this.#context);
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
