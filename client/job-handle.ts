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
import { JobEndedError, SignalboxError } from './errors.ts';
import { type EvidenceChoice, readEvidence } from './evidence.ts';
import { closedRunOf, type FollowOptions, type Run, stepsOf } from './history.ts';
import { checkSeconds, intervene } from './intervene.ts';
import type { JobLogLine, JobLogOptions } from './logs/log-options.ts';
import { readLogs } from './logs/logs.ts';
import { outcomeOf } from './outcome.ts';
import { askStatus } from './status.ts';
import { isLive, type JobSummary, summaryOf } from './summary.ts';
import { withSweptEvidence } from './swept-evidence.ts';
import { toClientError } from './temporal-errors.ts';

/** What a handle needs of the client that gave it. */
export interface HandleContext {
  readonly temporal: Client;
  readonly temporalAddress: string;
  readonly cluster: () => Promise<ClusterClient>;
  readonly evidence: () => EvidenceStore;
}

/** How long a worker has to answer a question, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * One job: what it does, how it ended, and the means to intervene. Each intervention returns when it is on record, with
 * who and why; the job refuses what makes no sense where it is (`RefusedError` with its sentence), one that has ended
 * refuses everything (`JobEndedError`), and without a worker nobody answers (`WorkerAwayError`, after ten seconds; the
 * next worker may still do it). docs/interventions.md
 */
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
      if (isLive(described)) return askStatus(this.#context.temporal, run, ANSWER_MS);
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
   * Asks the job to stop: its pods are removed, then it ends as Stopped. With `checkpoint` it is asked for a checkpoint
   * first, as its policy says how and for how long at most. `wait` tells when it is done. Stopping an ended job does
   * nothing.
   */
  stop(request: StopRequest = {}): Promise<'requested' | 'already-ended'> {
    return this.#ask(async () => {
      if (!isLive(await this.#describe())) return 'already-ended';
      try {
        await this.#intervene(STOP_UPDATE, request);
        return 'requested';
      } catch (error) {
        // It ended between the question and the request.
        if (error instanceof JobEndedError) return 'already-ended';
        throw error;
      }
    });
  }

  /** Removes the job's pods, services and group until it is resumed; no deadline runs meanwhile. */
  suspend(request: Intervention = {}): Promise<void> {
    return this.#intervene(SUSPEND_UPDATE, request);
  }

  /** Starts the pods of a suspended job again, all of them, as a new attempt. */
  resume(request: Intervention = {}): Promise<void> {
    return this.#intervene(RESUME_UPDATE, request);
  }

  /**
   * Gives a role another number of replicas; pods that are too many go, highest index first. Throws
   * `InvalidManifestError`, with all faults, if the manifest would be none with that number.
   */
  scale(request: ScaleRequest): Promise<void> {
    return this.#intervene(SCALE_UPDATE, request);
  }

  /** Ends the pause before the next restart. */
  retryNow(request: Intervention = {}): Promise<void> {
    return this.#intervene(RETRY_NOW_UPDATE, request);
  }

  /** Adds seconds to the job's activeDeadlineSeconds. */
  async extendDeadline(request: ExtendRequest): Promise<void> {
    checkSeconds(request, 1);
    return this.#intervene(EXTEND_DEADLINE_UPDATE, request);
  }

  /**
   * Keeps failed pods for so many seconds, so that somebody can look at them: those of the next failure, or of a job that
   * is held already, from now on. 0 is not at all.
   */
  async hold(request: HoldRequest): Promise<void> {
    checkSeconds(request, 0);
    return this.#intervene(HOLD_UPDATE, request);
  }

  /** Lets a job go on that is held with its failed pods. */
  release(request: Intervention = {}): Promise<void> {
    return this.#intervene(RELEASE_UPDATE, request);
  }

  /**
   * Changes the policy of a live job: what `policy` names replaces what was there, and null takes it away (RFC 7396). Its
   * form is that of the annotation `signalbox.dev/policy`. Throws `InvalidManifestError`, with all faults, if what comes
   * of it is no policy.
   */
  amendPolicy(request: AmendRequest): Promise<void> {
    return this.#intervene(AMEND_POLICY_UPDATE, request);
  }

  /** Calls back with the present status, then with each change, until the end; gives the outcome. */
  follow(onStatus: (status: JobStatus) => void, options: FollowOptions = {}): Promise<JobOutcome> {
    return this.#ask(async () => {
      let told = '';
      const tell = (status: JobStatus) => {
        const { attempt, restarts, state, timeline } = status;
        // A long timeline loses an entry for each that it gains.
        const now = JSON.stringify([attempt, restarts, state, timeline.length, timeline.at(-1)]);
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
  async *logs(options: JobLogOptions = {}): AsyncGenerator<JobLogLine> {
    const { name, namespace, phase, firstRunId } = await this.#named();
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, ...(options.signal ? [options.signal] : [])]);
    const job = { name, namespace, phase, firstRunId, end: () => this.wait({ signal }) };
    try {
      yield* readLogs(await this.#context.cluster(), job, options);
    } finally {
      ended.abort();
    }
  }

  /**
   * What is known of the job's failed pods, the last first: states, exit codes, the last lines of their logs, node and
   * events. Throws `NoEvidenceError` if none has failed, `EvidenceAwayError` if the records are not where this client
   * looks for them (`evidence` of its settings).
   */
  async *evidence(choice: EvidenceChoice = {}): AsyncGenerator<EvidenceRecord> {
    const status = await withSweptEvidence(await this.status(), this.#context.cluster, () => this.#named());
    yield* readEvidence(this.#context.evidence(), status, choice);
  }

  /** Which job it is, and which run of it. */
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

  /** Retention can take the first runs of a long job away, while the present run always exists. */
  async #startingRun(): Promise<Run> {
    const { temporal } = this.#context;
    if (this.#run && (await findWorkflow(temporal, this.#run.workflowId, this.#run.runId))) return this.#run;
    this.#run = { workflowId: this.workflowId, runId: (await this.#describe()).runId };
    return this.#run;
  }

  #intervene(update: string, request: Intervention): Promise<void> {
    const asked = { workflowId: this.workflowId, update, request };
    return this.#ask(() => intervene(this.#context.temporal, asked, ANSWER_MS));
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
