import type { EvidenceRecord } from '../contracts/evidence-record.ts';
import type { LedgerEntry } from '../contracts/ledger.ts';
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
import type { PodsRecord } from '../contracts/pods-record.ts';
import type { RecordedSource } from '../record/compare/recorded-source.ts';
import type { RunChain } from '../temporal/run-chain.ts';
import type { CallOptions, SubmissionResult, WaitOptions } from './client-settings.ts';
import { JobEndedError } from './errors.ts';
import type { EvidenceChoice } from './evidence.ts';
import { type Explanation, explanationOf } from './explanation.ts';
import type { HandledJob } from './handled-job.ts';
import type { FollowOptions } from './history.ts';
import { checkSeconds } from './intervene.ts';
import { type HandleContext, JobRun, type JobRunId } from './job-run.ts';
import type { FollowHistoryOptions, HistoryOptions } from './ledger.ts';
import type { JobLogLine, JobLogOptions } from './logs/log-options.ts';
import type { KnownStatus } from './recorded-status.ts';
import type { RerunPlan } from './rerun/rerun-manifest.ts';
import type { RerunOptions } from './rerun/rerun-options.ts';
import type { JobSummary } from './summary.ts';
import type { Outcome } from './typed-outcome.ts';

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
  readonly #context: HandleContext;
  readonly #id: JobRunId;
  readonly #run: JobRun;

  /** @internal */
  constructor(context: HandleContext, job: HandledJob) {
    this.workflowId = job.workflowId;
    this.runId = job.runId;
    this.submission = job.submission;
    this.warnings = job.warnings ?? [];
    this.#context = context;
    this.#id = job;
    this.#run = new JobRun(context, job);
  }

  /** Returns the job's status. If no worker answers, it is what was recorded last, and `recordedIn` says where. */
  status(options: CallOptions = {}): Promise<KnownStatus> {
    return this.#run.status(options);
  }

  /** Returns what lists show; needs no worker. */
  async summary(options: CallOptions = {}): Promise<JobSummary> {
    const { firstRunId, anchorUid, ...summary } = await this.#run.named(options);
    return summary;
  }

  /** Returns the manifest as submitted; needs no worker. */
  manifest(options: CallOptions = {}): Promise<unknown> {
    return this.#run.manifest(options);
  }

  /** Returns the first run of the job's workflow, which tells jobs with one workflow id apart, also in an archive. */
  async firstRunId(options: CallOptions = {}): Promise<string> {
    return (await this.#run.named(options)).firstRunId;
  }

  /**
   * Returns the job's ledger, the oldest entry first: each transition, each request, how each effect ended, and who
   * asked. Of all runs of its workflow that Temporal still has, and also of an ended job. Throws `WorkerAwayError`
   * without a worker. docs/history.md
   */
  async history(options: HistoryOptions = {}): Promise<readonly LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for await (const entry of this.#run.ledger(options)) entries.push(entry);
    return entries;
  }

  /**
   * Yields the entries of the job's ledger, and then each new one until it has ended. Continues as `wait` does, and
   * waits for a worker if there is none. For an ended job it is as `history`.
   */
  followHistory(options: FollowHistoryOptions = {}): AsyncGenerator<LedgerEntry> {
    return this.#run.followLedger(options);
  }

  /** Returns what the job waits for, or why it ended, since when, and what the user can do. */
  async why(options: CallOptions = {}): Promise<Explanation> {
    return explanationOf(await this.status(options));
  }

  /**
   * Waits for the outcome: Completed, Failed and Stopped alike. Continues through restarts of servers and workers, lost
   * connections and sleep of the machine. Throws `WaitTimeoutError` after `timeout`; to stop waiting, abort `signal`.
   */
  wait(options: WaitOptions = {}): Promise<Outcome> {
    return this.#run.wait(options);
  }

  /** Yields the present status, and then each change of it until the outcome. Continues as `wait` does. */
  watch(options: FollowOptions = {}): AsyncGenerator<KnownStatus> {
    return this.#run.watch(options);
  }

  /**
   * Requests a stop: the job's pods are deleted, then it ends as Stopped. With `checkpoint`, first requests a
   * checkpoint, in the way and time that its policy allows. Use `wait` to wait for the end. Stopping an ended job does
   * nothing.
   */
  async stop(request: StopRequest = {}, options: CallOptions = {}): Promise<'requested' | 'already-ended'> {
    if (!(await this.#run.isOpen(options))) return 'already-ended';
    try {
      await this.#run.intervene(STOP_UPDATE, request, options);
      return 'requested';
    } catch (error) {
      // The job ended after the check above.
      if (error instanceof JobEndedError) return 'already-ended';
      throw error;
    }
  }

  /** Deletes the job's pods, services and group until it is resumed; no deadline runs meanwhile. */
  suspend(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    return this.#run.intervene(SUSPEND_UPDATE, request, options);
  }

  /** Restarts all pods of a suspended job as a new attempt. */
  resume(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    return this.#run.intervene(RESUME_UPDATE, request, options);
  }

  /**
   * Changes the number of replicas of a role; surplus pods are deleted, highest index first. Throws
   * `InvalidManifestError` with all faults if the manifest would be invalid with that number.
   */
  scale(request: ScaleRequest, options: CallOptions = {}): Promise<void> {
    return this.#run.intervene(SCALE_UPDATE, request, options);
  }

  /** Ends the back-off before the next restart. */
  retryNow(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    return this.#run.intervene(RETRY_NOW_UPDATE, request, options);
  }

  /** Adds seconds to the job's activeDeadlineSeconds. */
  async extendDeadline(request: ExtendRequest, options: CallOptions = {}): Promise<void> {
    checkSeconds(request, 1);
    return this.#run.intervene(EXTEND_DEADLINE_UPDATE, request, options);
  }

  /**
   * Keeps failed pods for the given number of seconds for inspection: those of the next failure or, if the job is
   * already held, those held now, counted from now. 0 disables the hold.
   */
  async hold(request: HoldRequest, options: CallOptions = {}): Promise<void> {
    checkSeconds(request, 0);
    return this.#run.intervene(HOLD_UPDATE, request, options);
  }

  /** Releases a job that is held with its failed pods. */
  release(request: Intervention = {}, options: CallOptions = {}): Promise<void> {
    return this.#run.intervene(RELEASE_UPDATE, request, options);
  }

  /**
   * Changes the policy of a live job by a merge patch (RFC 7396): values replace, null removes. `policy` has the form
   * of the annotation `signalbox.dev/policy`. Throws `InvalidManifestError` with all faults if the result is invalid.
   */
  amendPolicy(request: AmendRequest, options: CallOptions = {}): Promise<void> {
    return this.#run.intervene(AMEND_POLICY_UPDATE, request, options);
  }

  /**
   * Starts a new job from the recorded manifest of this one, which must have ended unless the new one has another name.
   * Throws `InvalidManifestError` with all faults of the changes, and `NameTakenError` if the name's job is live.
   */
  async rerun(options: RerunOptions = {}): Promise<JobHandle> {
    const { rerunJob } = await import('./rerun/rerun-job.ts');
    return new JobHandle(this.#context, await rerunJob(this.#context, this.#id, options));
  }

  /** Returns what `rerun` would submit. */
  async planRerun(options: RerunOptions = {}): Promise<RerunPlan> {
    const { planRerunOf } = await import('./rerun/rerun-job.ts');
    return planRerunOf(this.#context, this.#id, options);
  }

  /**
   * Returns the Temporal histories of all runs that are still there.
   *
   * @internal
   */
  histories(options: CallOptions = {}): Promise<RunChain> {
    return this.#run.histories(options);
  }

  /**
   * Returns the manifest as submitted, and what amendments changed; needs no worker.
   *
   * @internal
   */
  async source(options: CallOptions = {}): Promise<RecordedSource> {
    const { readRerunSource } = await import('./rerun/read-source.ts');
    return (await readRerunSource(this.#context, this.#id, options)).source;
  }

  /** Yields lines of the job's log; `JobLogOptions` chooses the pods. Needs access to the cluster. */
  async *logs(options: JobLogOptions = {}): AsyncGenerator<JobLogLine> {
    const { name, namespace, phase, firstRunId } = await this.#run.named(options);
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, ...(options.signal ? [options.signal] : [])]);
    const { pod } = options;
    const evidence = () => this.evidence({ pod });
    const job = { name, namespace, phase, firstRunId, end: () => this.wait({ signal }), evidence };
    try {
      const { readLogs } = await import('./logs/logs.ts');
      yield* readLogs(await this.#context.cluster(), job, options);
    } finally {
      ended.abort();
    }
  }

  /**
   * Yields evidence of the job's failed pods, newest first: states, exit codes, last log lines, node and events. First
   * come pods whose containers are restarted in place, as the cluster has them now, if it can be read. Throws
   * `NoEvidenceError` if no pod has failed, and `EvidenceAwayError` if the records are not where this client looks for
   * them (`evidence` of its settings).
   */
  async *evidence(choice: EvidenceChoice = {}): AsyncGenerator<EvidenceRecord> {
    const [{ readEvidence }, { crashEvidence, withCrashes }, { withSweptEvidence }] = await Promise.all([
      import('./evidence.ts'),
      import('./crash-evidence.ts'),
      import('./swept-evidence.ts'),
    ]);
    const { cluster } = this.#context;
    const named = () => this.#run.named({});
    const firstRunId = async () => (await named()).firstRunId;
    const status = await withSweptEvidence(await this.status(), cluster, named);
    const crashes = await crashEvidence(status, choice, { cluster, firstRunId });
    yield* withCrashes(crashes, readEvidence(await this.#context.evidence(), status, choice));
  }

  /**
   * Returns what ran, by attempt: pods that were deleted and, at the job's end, all others, with nodes, times and images
   * as kubelets reported them. Empty if this client looks in another store than the workers' (`evidence` of its settings).
   */
  pods(options: CallOptions = {}): Promise<readonly PodsRecord[]> {
    return this.#run.pods(options);
  }
}
