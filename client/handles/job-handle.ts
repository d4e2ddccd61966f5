import { UPDATES } from '../../contracts/messages.ts';
import type {
  AmendRequest,
  EvidenceRecord,
  Explanation,
  ExtendRequest,
  HoldRequest,
  Intervention,
  JobSilence,
  JobSteps,
  LedgerEntry,
  PodsRecord,
  ScaleRequest,
  StopRequest,
  WhyAnswer,
} from '../../contracts/types.ts';
import type { ComparedJob } from '../../record/compare/compare-jobs.ts';
import type { RecordedSource } from '../../record/compare/recorded-source.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import type { JobCost } from '../../record/uses/job-cost.ts';
import type { JobUses } from '../../record/uses/job-uses.ts';
import type { RunChain } from '../../temporal/run-chain.ts';
import type { CallOptions, SubmissionResult, WaitOptions } from '../servers/client-settings.ts';
import type { FollowOptions } from '../servers/follow-runs.ts';
import type { JobId, SubmittedJob } from '../servers/job-id.ts';
import type { ClientPorts } from '../servers/ports.ts';
import type { KnownStatus } from '../servers/recorded-status.ts';
import type { JobSummary } from '../servers/summary.ts';
import type { CompareOptions } from '../use-cases/compare/compared-job.ts';
import type { PriceOptions } from '../use-cases/cost/job-cost.ts';
import {
  type AskedJob,
  extendDeadline,
  holdFailedPods,
  sendChange,
  sendRequest,
  stopJob,
} from '../use-cases/intervene/send-request.ts';
import { followJobLedger, jobLedger, waitForOutcome, watchJob } from '../use-cases/observe/follow-job.ts';
import { explainJob, readStatus } from '../use-cases/observe/job-status.ts';
import type { FollowHistoryOptions, HistoryOptions } from '../use-cases/observe/ledger.ts';
import {
  jobHistories,
  jobPods,
  jobSummary,
  namedJob,
  submittedManifest,
} from '../use-cases/observe/recorded-job.ts';
import type { Outcome } from '../use-cases/observe/typed-outcome.ts';
import type { EvidenceChoice } from '../use-cases/pods/evidence.ts';
import type { JobLogLine, JobLogOptions } from '../use-cases/pods/log-options.ts';
import type { RemainingPods } from '../use-cases/pods/remaining-pods.ts';
import type { RerunPlan } from '../use-cases/rerun/rerun-manifest.ts';
import type { RerunOptions } from '../use-cases/rerun/rerun-options.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * One job: its status, its outcome, and interventions. Each intervention returns once it is recorded, with user and
 * reason. It throws `RefusedError` with the job's message if the present state does not allow it, `JobEndedError` if
 * the job has ended, and `WorkerAwayError` without a worker; the next worker may still do it. docs/client.md
 *
 * @public
 */
export class JobHandle {
  readonly workflowId: string;
  /** The run that `submit` started or found; undefined for a handle that was not submitted. */
  readonly runId: string | undefined;
  /** What `submit` found; undefined for a handle that was not submitted. */
  readonly submission: SubmissionResult | undefined;
  /** What `submit` noticed, e.g. that no worker is at work. */
  readonly warnings: readonly string[];
  readonly #ports: ClientPorts;
  readonly #job: JobId;

  /** @internal */
  constructor(ports: ClientPorts, job: SubmittedJob) {
    this.workflowId = job.workflowId;
    this.runId = job.runId;
    this.submission = job.submission;
    this.warnings = job.warnings ?? [];
    this.#ports = ports;
    this.#job = job;
  }

  /** Returns the job's status. If no worker answers, it is what was recorded last, and `recordedIn` says where. */
  status(options: CallOptions = {}): Promise<KnownStatus> {
    return readStatus(this.#ports, this.#job, options);
  }

  /** Returns what lists show; needs no worker. */
  summary(options: CallOptions = {}): Promise<JobSummary> {
    return jobSummary(this.#ports, this.#job, options);
  }

  /** Returns the manifest as submitted; needs no worker. */
  manifest(options: CallOptions = {}): Promise<unknown> {
    return submittedManifest(this.#ports, this.#job, options);
  }

  /** Returns the first run of the job's workflow, which tells jobs with one workflow id apart, also in an archive. */
  async firstRunId(options: CallOptions = {}): Promise<string> {
    return (await namedJob(this.#ports, this.#job, options)).firstRunId;
  }

  /**
   * Returns the job's ledger, the oldest entry first: each transition, each request, how each effect ended, and who
   * asked. Of all runs of its workflow that Temporal still has, and also of an ended job. Throws `WorkerAwayError`
   * without a worker. docs/history.md
   */
  async history(options: HistoryOptions = {}): Promise<readonly LedgerEntry[]> {
    await refuseUnknownOptions({ history: options });
    return jobLedger(this.#ports, this.#job, options);
  }

  /**
   * Yields the entries of the job's ledger, and then each new one until it has ended. Continues as `wait` does, and
   * waits for a worker if there is none. For an ended job it is as `history`.
   */
  async *followHistory(options: FollowHistoryOptions = {}): AsyncGenerator<LedgerEntry> {
    await refuseUnknownOptions({ followHistory: options });
    yield* followJobLedger(this.#ports, this.#job, options);
  }

  /** Returns what the job waits for, or why it ended, since when, and what the user can do. */
  why(options: CallOptions = {}): Promise<Explanation> {
    return explainJob(this.#ports, this.#job, options);
  }

  /**
   * Returns why the job waits, in detail: the reasons, the most important first, with who can change each; for pods without
   * a node the class of each node; and what it has waited for so far. Reads the cluster with the rights of this client; what
   * it may not read is named in `unknown`. docs/why.md
   */
  async whyWaiting(options: CallOptions = {}): Promise<WhyAnswer> {
    const { whyJob } = await import('../use-cases/why/why-job.ts');
    return whyJob(this.#ports, this.#job, options);
  }

  /**
   * Waits for the outcome: Completed, Failed and Stopped alike. Continues through restarts of servers and workers, lost
   * connections and sleep of the machine. Throws `WaitTimeoutError` after `timeout`; to stop waiting, abort `signal`.
   */
  async wait(options: WaitOptions = {}): Promise<Outcome> {
    await refuseUnknownOptions({ wait: options });
    return waitForOutcome(this.#ports, this.#job, options);
  }

  /** Yields the present status, and then each change of it until the outcome. Continues as `wait` does. */
  async *watch(options: FollowOptions = {}): AsyncGenerator<KnownStatus> {
    await refuseUnknownOptions({ wait: options });
    yield* watchJob(this.#ports, this.#job, options);
  }

  /**
   * Requests a stop: the job's pods are deleted, then it ends as Stopped. With `checkpoint`, first requests a
   * checkpoint, in the way and time that its policy allows. Use `wait` to wait for the end. Stopping an ended job does
   * nothing.
   */
  async stop(request: StopRequest = {}, options: CallOptions = {}): Promise<'requested' | 'already-ended'> {
    await refuseUnknownOptions({ stop: request, call: options });
    return stopJob(this.#asked, request, options);
  }

  /** Deletes the job's pods, services and group until it is resumed; no deadline runs meanwhile. */
  async suspend(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ intervention: request, call: options });
    return sendChange(this.#asked, { update: UPDATES.suspend, request }, options);
  }

  /** Restarts all pods of a suspended job as a new attempt. */
  async resume(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ intervention: request, call: options });
    return sendChange(this.#asked, { update: UPDATES.resume, request }, options);
  }

  /**
   * Changes the number of replicas of a role; surplus pods are deleted, highest index first. Throws
   * `InvalidManifestError` with all faults if the manifest would be invalid with that number.
   */
  async scale(request: ScaleRequest, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ scale: request, call: options });
    return sendChange(this.#asked, { update: UPDATES.scale, request }, options);
  }

  /** Ends the back-off before the next restart. */
  async retryNow(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ intervention: request, call: options });
    return sendRequest(this.#asked, { update: UPDATES.retryNow, request }, options);
  }

  /** Adds seconds to the job's activeDeadlineSeconds. */
  async extendDeadline(request: ExtendRequest, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ extend: request, call: options });
    return extendDeadline(this.#asked, request, options);
  }

  /**
   * Keeps failed pods for the given number of seconds for inspection: those of the next failure or, if the job is
   * already held, those held now, counted from now. 0 disables the hold.
   */
  async hold(request: HoldRequest, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ hold: request, call: options });
    return holdFailedPods(this.#asked, request, options);
  }

  /** Releases a job that is held with its failed pods. */
  async release(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ intervention: request, call: options });
    return sendRequest(this.#asked, { update: UPDATES.release, request }, options);
  }

  /**
   * Changes the policy of a live job by a merge patch (RFC 7396): values replace, null removes. `policy` has the form
   * of the annotation `signalbox.dev/policy`. Throws `InvalidManifestError` with all faults if the result is invalid.
   */
  async amendPolicy(request: AmendRequest, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ amend: request, call: options });
    return sendChange(this.#asked, { update: UPDATES.amendPolicy, request }, options);
  }

  /**
   * Starts a new job from the recorded manifest of this one, which must have ended unless the new one has another name.
   * Throws `InvalidManifestError` with all faults of the changes, and `NameTakenError` if the name's job is live.
   */
  async rerun(options: RerunOptions = {}): Promise<JobHandle> {
    await refuseUnknownOptions({ rerun: options });
    const { rerunJob } = await import('../use-cases/rerun/rerun-job.ts');
    return new JobHandle(this.#ports, await rerunJob(this.#ports, this.#job, options));
  }

  /** Returns what `rerun` would submit. */
  async planRerun(options: RerunOptions = {}): Promise<RerunPlan> {
    await refuseUnknownOptions({ rerun: options });
    const { planRerunOf } = await import('../use-cases/rerun/rerun-job.ts');
    return planRerunOf(this.#ports, this.#job, options);
  }

  /**
   * Returns the Temporal histories of all runs that are still there.
   *
   * @internal
   */
  histories(options: CallOptions = {}): Promise<RunChain> {
    return jobHistories(this.#ports, this.#job, options);
  }

  /**
   * Returns the manifest as submitted, and what amendments changed; needs no worker.
   *
   * @internal
   */
  async source(options: CallOptions = {}): Promise<RecordedSource> {
    const { readJobSource } = await import('../use-cases/rerun/read-source.ts');
    return readJobSource(this.#ports, this.#job, options);
  }

  /**
   * Returns what a comparison with another job needs.
   *
   * @internal
   */
  async compared(options: CompareOptions = {}): Promise<ComparedJob> {
    const { comparedJob } = await import('../use-cases/compare/compared-job.ts');
    return comparedJob(this.#ports, this.#job, options);
  }

  /**
   * Returns the data of a report.
   *
   * @internal
   */
  async report(): Promise<ReportData> {
    const { jobReport } = await import('../use-cases/report/job-report.ts');
    return jobReport(this.#ports, this.#job);
  }

  /**
   * Returns what the GPUs and other devices of the job were used for, until its end or until now, by its ledger alone. Throws
   * `WorkerAwayError` without a worker. docs/cost.md
   */
  async uses(options: HistoryOptions = {}): Promise<JobUses> {
    await refuseUnknownOptions({ history: options });
    const { jobUses } = await import('../use-cases/cost/job-uses.ts');
    return jobUses(this.#ports, this.#job, options);
  }

  /**
   * Returns the same with its sums, and with prices what each of them cost, as `signalbox cost NAME` prints them.
   *
   * @example
   * ```ts
   * const prices = { currency: 'EUR', prices: [{ resource: 'nvidia.com/gpu', perHour: '2.10', from: '2026-01-01' }] };
   * for (const { resource, ms, cost } of (await job.cost({ prices })).resources) console.log(resource, ms, cost?.least);
   * ```
   */
  async cost(options: PriceOptions & HistoryOptions = {}): Promise<JobCost> {
    await refuseUnknownOptions({ jobCost: options });
    const { jobCost } = await import('../use-cases/cost/job-cost.ts');
    return jobCost(this.#ports, this.#job, options);
  }

  /** Yields lines of the job's log; `JobLogOptions` chooses the pods. Needs access to the cluster. */
  async *logs(options: JobLogOptions = {}): AsyncGenerator<JobLogLine> {
    await refuseUnknownOptions({ logs: options });
    const { jobLogs } = await import('../use-cases/pods/job-logs.ts');
    yield* jobLogs(this.#ports, this.#job, options);
  }

  /**
   * Yields evidence of the job's failed pods, newest first: states, exit codes, last log lines, node and events. First
   * come pods whose containers are restarted in place, as the cluster has them now, if it can be read. Throws
   * `NoEvidenceError` if no pod has failed, and `EvidenceAwayError` if the records are not where this client looks for
   * them (`evidence` of its settings).
   */
  async *evidence(choice: EvidenceChoice = {}): AsyncGenerator<EvidenceRecord> {
    await refuseUnknownOptions({ evidence: choice });
    const { jobEvidence } = await import('../use-cases/pods/job-evidence.ts');
    yield* jobEvidence(this.#ports, this.#job, choice);
  }

  /**
   * Returns what ran, by attempt: pods that were deleted and, at the job's end, all others, with nodes, times and images
   * as kubelets reported them. Empty if this client looks in another store than the workers' (`evidence` of its settings).
   */
  pods(options: CallOptions = {}): Promise<readonly PodsRecord[]> {
    return jobPods(this.#ports, this.#job, options);
  }

  /**
   * Returns the pods that still run, and what they hold; undefined if there are none. Needs access to the cluster.
   *
   * @internal
   */
  async remainingPods(): Promise<RemainingPods | undefined> {
    const { remainingPods } = await import('../use-cases/pods/remaining-pods.ts');
    return remainingPods(this.#ports, this.#job);
  }

  /**
   * Returns since when the main pod of a running job has written no line, and its last one, if that is longer than it
   * usually takes; undefined if it is not, or the cluster does not tell.
   */
  async silence(options: CallOptions = {}): Promise<JobSilence | undefined> {
    return (await this.#logSigns(options)).silence;
  }

  /**
   * Returns what the log of the running job tells of its steps: step, how long one takes, since when there was none; or what
   * would show them. Undefined of a job that does not run or has just started, or if the cluster does not tell.
   */
  async steps(options: CallOptions = {}): Promise<JobSteps | undefined> {
    return (await this.#logSigns(options)).steps;
  }

  async #logSigns(options: CallOptions) {
    const { findLogSigns } = await import('../use-cases/pods/silence.ts');
    const summary = await this.summary(options);
    return (await findLogSigns(this.#ports, [summary])).get(summary.workflowId) ?? {};
  }

  get #asked(): AskedJob & { readonly ports: ClientPorts } {
    return { ports: this.#ports, job: this.#job };
  }
}
