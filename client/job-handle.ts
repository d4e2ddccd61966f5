import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../cluster/client.ts';
import type { EvidenceRecord } from '../contracts/evidence-record.ts';
import {
  AMEND_POLICY_UPDATE,
  type AmendRequest,
  EXTEND_DEADLINE_UPDATE,
  type ExtendRequest,
  HOLD_UPDATE,
  type HoldRequest,
  type Intervention,
  RELEASE_UPDATE,
  RESUME_UPDATE,
  RETRY_NOW_UPDATE,
  SCALE_UPDATE,
  type ScaleRequest,
  STOP_UPDATE,
  type StopRequest,
  SUSPEND_UPDATE,
} from '../contracts/messages.ts';
import type { JobOutcome, JobStatus } from '../contracts/status.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import { findWorkflow } from '../temporal/find-workflow.ts';
import { isOpen } from '../temporal/open-workflows.ts';
import type { SubmissionResult } from './client-settings.ts';
import { JobEndedError } from './errors.ts';
import type { EvidenceChoice } from './evidence.ts';
import { closedRunOf, type FollowOptions, type Run, stepsOf } from './history.ts';
import { checkSeconds, intervene } from './intervene.ts';
import type { JobLogLine, JobLogOptions } from './logs/log-options.ts';
import { outcomeOf } from './outcome.ts';
import { SignalboxError } from './signalbox-error.ts';
import { askStatus } from './status.ts';
import { type JobSummary, summaryOf } from './summary.ts';
import { toClientError } from './temporal-errors.ts';

/**
 * What a handle needs from its client.
 *
 * @internal
 */
export interface HandleContext {
  readonly temporal: Client;
  readonly temporalAddress: string;
  readonly cluster: () => Promise<ClusterClient>;
  readonly evidence: () => Promise<EvidenceStore>;
}

/** How long a worker has to answer, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * One job: its status, its outcome, and interventions. Each intervention returns once it is recorded, with user and
 * reason. It throws `RefusedError` with the job's message if the present state does not allow it, `JobEndedError` if
 * the job has ended, and `WorkerAwayError` after ten seconds without a worker; the next worker may still do it.
 * docs/interventions.md
 *
 * @public
 */
export class JobHandle {
  readonly workflowId: string;
  /** What `submit` found; undefined for a handle from elsewhere. */
  readonly submission: SubmissionResult | undefined;
  readonly #context: HandleContext;
  #run: Run | undefined;

  /** @internal */
  constructor(
    context: HandleContext,
    job: {
      readonly workflowId: string;
      readonly runId?: string;
      readonly firstRunId?: string;
      readonly submission?: SubmissionResult;
    },
  ) {
    this.#context = context;
    this.workflowId = job.workflowId;
    this.submission = job.submission;
    this.#run = job.runId === undefined ? undefined : { workflowId: job.workflowId, runId: job.runId };
  }

  /** The run that `submit` started or found; undefined for a handle that was not submitted. */
  get runId(): string | undefined {
    return this.#run?.runId;
  }

  /** Returns the job's status. An ended job's status is on record; a live job needs a worker (`WorkerAwayError`). */
  status(): Promise<JobStatus> {
    return this.#ask(async () => {
      const described = await this.#describe();
      const run = { workflowId: this.workflowId, runId: described.runId };
      if (isOpen(described.status.name)) return askStatus(this.#context.temporal, run, ANSWER_MS);
      return outcomeOf(this.#context.temporal, run);
    });
  }

  /** Returns what Temporal has recorded; needs no worker. */
  summary(): Promise<JobSummary> {
    return this.#ask(async () => summaryOf(await this.#describe()));
  }

  /**
   * Waits for the outcome: Completed, Failed and Stopped alike. Continues through restarts of servers and workers,
   * without a timeout. To stop waiting, abort `signal`; this throws the signal's reason.
   */
  wait(options: FollowOptions = {}): Promise<JobOutcome> {
    return this.#ask(async () => {
      const last = await closedRunOf(this.#context.temporal, await this.#startingRun(), options);
      return outcomeOf(this.#context.temporal, last);
    });
  }

  /**
   * Requests a stop: the job's pods are deleted, then it ends as Stopped. With `checkpoint`, first requests a
   * checkpoint, in the way and time that its policy allows. Use `wait` to wait for the end. Stopping an ended job does
   * nothing.
   */
  stop(request: StopRequest = {}): Promise<'requested' | 'already-ended'> {
    return this.#ask(async () => {
      if (!isOpen((await this.#describe()).status.name)) return 'already-ended';
      try {
        await this.#intervene(STOP_UPDATE, request);
        return 'requested';
      } catch (error) {
        // The job ended after the check above.
        if (error instanceof JobEndedError) return 'already-ended';
        throw error;
      }
    });
  }

  /** Deletes the job's pods, services and group until it is resumed; no deadline runs meanwhile. */
  suspend(request: Intervention = {}): Promise<void> {
    return this.#intervene(SUSPEND_UPDATE, request);
  }

  /** Restarts all pods of a suspended job as a new attempt. */
  resume(request: Intervention = {}): Promise<void> {
    return this.#intervene(RESUME_UPDATE, request);
  }

  /**
   * Changes the number of replicas of a role; surplus pods are deleted, highest index first. Throws
   * `InvalidManifestError` with all faults if the manifest would be invalid with that number.
   */
  scale(request: ScaleRequest): Promise<void> {
    return this.#intervene(SCALE_UPDATE, request);
  }

  /** Ends the back-off before the next restart. */
  retryNow(request: Intervention = {}): Promise<void> {
    return this.#intervene(RETRY_NOW_UPDATE, request);
  }

  /** Adds seconds to the job's activeDeadlineSeconds. */
  async extendDeadline(request: ExtendRequest): Promise<void> {
    checkSeconds(request, 1);
    return this.#intervene(EXTEND_DEADLINE_UPDATE, request);
  }

  /**
   * Keeps failed pods for the given number of seconds for inspection: those of the next failure or, if the job is
   * already held, those held now, counted from now. 0 disables the hold.
   */
  async hold(request: HoldRequest): Promise<void> {
    checkSeconds(request, 0);
    return this.#intervene(HOLD_UPDATE, request);
  }

  /** Releases a job that is held with its failed pods. */
  release(request: Intervention = {}): Promise<void> {
    return this.#intervene(RELEASE_UPDATE, request);
  }

  /**
   * Changes the policy of a live job by a merge patch (RFC 7396): values replace, null removes. `policy` has the form
   * of the annotation `signalbox.dev/policy`. Throws `InvalidManifestError` with all faults if the result is invalid.
   */
  amendPolicy(request: AmendRequest): Promise<void> {
    return this.#intervene(AMEND_POLICY_UPDATE, request);
  }

  /** Calls `onStatus` with the present status and after each change; resolves with the outcome. */
  follow(onStatus: (status: JobStatus) => void, options: FollowOptions = {}): Promise<JobOutcome> {
    return this.#ask(async () => {
      let lastReported = '';
      const report = (status: JobStatus) => {
        const { attempt, restarts, state, timeline } = status;
        // A full timeline keeps its length, so compare its last entry too.
        const now = JSON.stringify([attempt, restarts, state, timeline.length, timeline.at(-1)]);
        if (now !== lastReported) onStatus(status);
        lastReported = now;
      };
      let last = await this.#startingRun();
      for await (const run of stepsOf(this.#context.temporal, last, options)) {
        last = run;
        await askStatus(this.#context.temporal, run, ANSWER_MS).then(report, options.onInterrupted);
      }
      const outcome = await outcomeOf(
        this.#context.temporal,
        await closedRunOf(this.#context.temporal, last, options),
      );
      report(outcome);
      return outcome;
    });
  }

  /** Yields lines of the job's log; `JobLogOptions` chooses the pods. Needs access to the cluster. */
  async *logs(options: JobLogOptions = {}): AsyncGenerator<JobLogLine> {
    const { name, namespace, phase, firstRunId } = await this.#named();
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, ...(options.signal ? [options.signal] : [])]);
    const job = { name, namespace, phase, firstRunId, end: () => this.wait({ signal }) };
    try {
      const { readLogs } = await import('./logs/logs.ts');
      yield* readLogs(await this.#context.cluster(), job, options);
    } finally {
      ended.abort();
    }
  }

  /**
   * Yields evidence of the job's failed pods, newest first: states, exit codes, last log lines, node and events. Throws
   * `NoEvidenceError` if no pod has failed, and `EvidenceAwayError` if the records are not where this client looks for
   * them (`evidence` of its settings).
   */
  async *evidence(choice: EvidenceChoice = {}): AsyncGenerator<EvidenceRecord> {
    const [{ readEvidence }, { withSweptEvidence }] = await Promise.all([
      import('./evidence.ts'),
      import('./swept-evidence.ts'),
    ]);
    const status = await withSweptEvidence(await this.status(), this.#context.cluster, () => this.#named());
    yield* readEvidence(await this.#context.evidence(), status, choice);
  }

  /** Identifies the job and its chain of runs. */
  #named() {
    return this.#ask(async () => {
      const described = await this.#describe();
      const firstRunId = described.raw.workflowExecutionInfo?.firstRunId || described.runId;
      return { ...summaryOf(described), firstRunId };
    });
  }

  #describe() {
    return this.#context.temporal.workflow.getHandle(this.workflowId).describe();
  }

  /** Retention may delete the first runs of a long job; the present run always exists. */
  async #startingRun(): Promise<Run> {
    const { temporal } = this.#context;
    if (this.#run && (await findWorkflow(temporal, this.#run.workflowId, this.#run.runId))) return this.#run;
    this.#run = { workflowId: this.workflowId, runId: (await this.#describe()).runId };
    return this.#run;
  }

  #intervene(update: string, request: Intervention): Promise<void> {
    const intervention = { workflowId: this.workflowId, update, request };
    return this.#ask(() => intervene(this.#context.temporal, intervention, ANSWER_MS));
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof SignalboxError) throw error;
      throw toClientError(error, { workflowId: this.workflowId, address: this.#context.temporalAddress });
    }
  }
}
