import type { KubeObject } from '../../contracts/kubernetes.ts';
import { parameterSweepIdOf } from '../../contracts/parameter-sweep.ts';
import type { Phase, WhyAnswer } from '../../contracts/types.ts';
import type { IndexRows } from '../../record/index/columns.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { UseGroup } from '../../record/uses/grouped-uses.ts';
import type {
  CallOptions,
  ClientSettings,
  JobSelector,
  SubmitManyOptions,
  SubmitOptions,
} from '../servers/client-settings.ts';
import { connectPorts } from '../servers/connect.ts';
import { withEnvironment } from '../servers/environment.ts';
import type { SubmittedJob } from '../servers/job-id.ts';
import { OtherServers } from '../servers/other-servers.ts';
import type { ClientPorts } from '../servers/ports.ts';
import type { JobSummary } from '../servers/summary.ts';
import type { ApplyOptions } from '../use-cases/apply/apply-options.ts';
import type { CostOptions, PeriodOptions } from '../use-cases/cost/cost-options.ts';
import type { UnarchivedScope } from '../use-cases/cost/unarchived-rows.ts';
import type { JobFilter } from '../use-cases/find/job-filter.ts';
import { jobIdOf } from '../use-cases/find/job-id-of.ts';
import type { PageChoice, PageOfJobs } from '../use-cases/find/page-of-jobs.ts';
import type {
  ListedNotification,
  NotificationFilter,
} from '../use-cases/notifications/list-notifications.ts';
import type { JobDetails } from '../use-cases/observe/job-details.ts';
import type { Outcome } from '../use-cases/observe/typed-outcome.ts';
import type { ListedSweep, SweepFilter } from '../use-cases/parameter-sweep/list-sweeps.ts';
import type { SweepOptions } from '../use-cases/parameter-sweep/sweep-options.ts';
import type { LogSigns } from '../use-cases/pods/silence.ts';
import type { RerunOptions } from '../use-cases/rerun/rerun-options.ts';
import type { AppliedJob } from './applied-job.ts';
import type { BesideArchive } from './archive-reader.ts';
import type { ArchivedJobHandle } from './archived-job-handle.ts';
import type { JobArchiver } from './job-archiver.ts';
import type { JobHandle } from './job-handle.ts';
import type { JobLanes } from './job-lanes.ts';
import type { JobSchedules } from './job-schedules.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { SubmissionAttempt } from './submission-attempt.ts';
import type { SweepHandle } from './sweep-handle.ts';

/**
 * Submits, finds and lists jobs.
 *
 * @example
 * ```ts
 * const client = await SignalboxClient.connect({ temporal: { address: 'localhost:7233', namespace: 'default' } });
 * const job = await client.submit(manifest, { key: 'nightly-2026-11-23' });
 * const { phase, cause } = await job.wait();
 * await client.close();
 * ```
 *
 * @public
 */
export class SignalboxClient {
  readonly #ports: ClientPorts;
  readonly #servers: OtherServers;
  readonly #handles: Handles;

  private constructor(ports: ClientPorts, servers: OtherServers, handles: Handles) {
    this.#ports = ports;
    this.#servers = servers;
    this.#handles = handles;
  }

  /** Throws `ServerAwayError` if Temporal does not answer within the timeout, by default ten seconds. */
  static async connect(given: ClientSettings = {}, options: CallOptions = {}): Promise<SignalboxClient> {
    await refuseUnknownOptions({ connect: given, call: options });
    const settings = withEnvironment(given);
    const servers = new OtherServers(settings);
    const [ports, handles] = await Promise.all([connectPorts(settings, servers, options), loadHandles()]);
    return new SignalboxClient(ports, servers, handles);
  }

  /**
   * Starts a job, or finds it already started (`submission` of the handle): the same manifest, or the same `key`, gives
   * one job however often it is submitted. While an ended job of the name is cleaned up, it waits (`cleanUpTimeout`).
   * Throws `InvalidManifestError` with all faults, `NameTakenError` if a live job with another manifest or key has the
   * name, and `KeyReusedError` if the key was used for another manifest.
   */
  async submit(manifest: object, options: SubmitOptions = {}): Promise<JobHandle> {
    await refuseUnknownOptions({ submit: options });
    const { submitManifest } = await import('../use-cases/submit/submit-manifest.ts');
    return this.#handle(await submitManifest(this.#ports, manifest, options));
  }

  /**
   * Submits many jobs, several at once, and yields what became of each as it is known: its job, or its error, after which
   * the others go on. Takes the next manifest only when a submission has ended. Called again with the same manifests, it
   * goes on where it stopped: what was started is found again, with a `key` also what has failed since. Leaving the loop,
   * or `signal`, starts no more. Throws `ServerAwayError` if Temporal does not answer.
   *
   * @example
   * ```ts
   * for await (const { manifest, job, error } of client.submitMany(manifests, { key: 'sweep-7' })) {
   *   console.log(manifest, job?.workflowId ?? error);
   * }
   * ```
   */
  async *submitMany<M extends object>(
    manifests: Iterable<M> | AsyncIterable<M>,
    options: SubmitManyOptions = {},
  ): AsyncGenerator<SubmissionAttempt<M>> {
    await refuseUnknownOptions({ submitMany: options });
    const { submitMany } = await import('../use-cases/submit/submit-many.ts');
    for await (const { item: manifest, index, value, error } of submitMany(this.#ports, manifests, options))
      yield error ? { manifest, index, error } : { manifest, index, job: this.#handle(value) };
  }

  /**
   * Makes the job of a name what its manifest says: starts it, changes the live one (sizes, policy, suspension, a longer
   * deadline), or leaves it as it is; an ended job with this manifest is not run again. What the manifest leaves out has its
   * default. Throws `InvalidManifestError` for what a live job keeps, by path; then nothing was changed. docs/client.md
   *
   * @example
   * ```ts
   * const { result, changes } = await client.apply(manifest, { dryRun: true });
   * for (const { path, from, to } of changes) console.log(`${path}: ${from} -> ${to}`);
   * ```
   */
  async apply(manifest: object, options: ApplyOptions = {}): Promise<AppliedJob> {
    await refuseUnknownOptions({ apply: options });
    const { applyManifest } = await import('../use-cases/apply/apply-manifest.ts');
    const { job, ...applied } = await applyManifest(this.#ports, manifest, options);
    return { ...applied, job: this.#handle(job) };
  }

  /**
   * Submits a job and waits for its outcome. `timeout` is that of the submission; `signal` ends both, but not the job: it
   * continues if it has started, and submitting it again finds it.
   */
  async submitAndWait(manifest: object, options: SubmitOptions = {}): Promise<Outcome> {
    const job = await this.submit(manifest, options);
    return job.wait({ signal: options.signal });
  }

  /**
   * Returns whether a job would wait if it was submitted now, and why, as `JobHandle.whyWaiting` does of a live one; also in
   * its lane, if `lanes` of the settings are known. Creates nothing. Needs access to the cluster. Throws `InvalidManifestError` with all faults. docs/why.md
   *
   * @example
   * ```ts
   * const { fits, reasons } = await client.whyWaiting(manifest);
   * for (const { code, sentence, who } of reasons) console.log(code, sentence, who);
   * ```
   */
  async whyWaiting(
    manifest: object,
    options: { readonly namespace?: string; readonly strict?: boolean } = {},
  ): Promise<WhyAnswer> {
    await refuseUnknownOptions({ why: options });
    const { whyManifest } = await import('../use-cases/why/why-manifest.ts');
    const { namespace = this.#ports.namespace, strict } = options;
    return whyManifest(this.#ports, manifest, { namespace, strict });
  }

  /** Returns a handle for a job by name and namespace, or by workflow id. Sends no request, so only `find` takes a `run`. */
  job(job: JobSelector): JobHandle {
    return this.#handle(jobIdOf(job, this.#ports));
  }

  /**
   * Returns a handle like `job`, but queries Temporal, so it also finds by name a job with a custom workflow id, and with
   * `run` an earlier job of the name, as far as Temporal still has it; `openArchive` reads those that it has not. Throws
   * `JobNotFoundError`, with the workflow ids if several jobs have the name, and `AmbiguousRunError`.
   *
   * @example
   * ```ts
   * const before = await client.find({ name: 'train', run: '-1' });
   * ```
   */
  async find(job: JobSelector, options: CallOptions = {}): Promise<JobHandle> {
    const { locateJob } = await import('../use-cases/find/find-jobs.ts');
    return this.#handle(await locateJob(this.#ports, job, options));
  }

  /** Returns the jobs that had a name, as far as Temporal still has them, the newest first. The first but one is `run: '-1'`. */
  async jobsOf(job: JobSelector, options: CallOptions = {}): Promise<readonly JobSummary[]> {
    const { jobsNamed } = await import('../use-cases/find/find-jobs.ts');
    return jobsNamed(this.#ports, job, options);
  }

  /**
   * Creates an object that a job needs, e.g. a PersistentVolumeClaim, unless one of that name exists; an existing
   * object stays unchanged. Needs access to the cluster.
   */
  async createIfAbsent(
    object: KubeObject,
    options: { readonly namespace?: string } = {},
  ): Promise<'created' | 'exists'> {
    const { createIfAbsent } = await import('../use-cases/submit/create-others.ts');
    return createIfAbsent(this.#ports, object, options);
  }

  /** Starts a new job from the recorded manifest of another one, which may be archived; see `JobHandle.rerun`. */
  async rerun(
    job: JobSelector | Pick<ArchivedJobHandle, 'planRerun'>,
    options: RerunOptions = {},
  ): Promise<JobHandle> {
    await refuseUnknownOptions({ rerun: options });
    if (!('planRerun' in job)) return (await this.find(job, options)).rerun(options);
    const { startRerun } = await import('../use-cases/rerun/rerun-job.ts');
    return this.#handle(await startRerun(this.#ports, await job.planRerun(options), options));
  }

  /** Lists recorded jobs: live ones first, newest first in each group. */
  async *list(filter: JobFilter = {}, options: CallOptions = {}): AsyncGenerator<JobSummary> {
    await refuseUnknownOptions({ list: filter, call: options });
    const { listedJobs } = await import('../use-cases/find/find-jobs.ts');
    yield* listedJobs(this.#ports, filter, options);
  }

  /**
   * Returns a page of such a list.
   *
   * @internal
   */
  async listPage(choice: PageChoice, options: CallOptions = {}): Promise<PageOfJobs> {
    const { pageOfJobs } = await import('../use-cases/find/page-of-jobs.ts');
    return pageOfJobs(this.#ports, choice, options);
  }

  /**
   * Counts the jobs of such a list by phase.
   *
   * @internal
   */
  async countPage(
    choice: Pick<PageChoice, 'filter' | 'namespaces'>,
    options: CallOptions = {},
  ): Promise<Readonly<Partial<Record<Phase, number>>>> {
    const { countsOfJobs } = await import('../use-cases/find/page-of-jobs.ts');
    return countsOfJobs(this.#ports, choice, options);
  }

  /**
   * Returns a client with the same connections for whom another person asks.
   *
   * @internal
   */
  as(user: string): SignalboxClient {
    return new SignalboxClient({ ...this.#ports, user }, this.#servers, this.#handles);
  }

  /**
   * Returns what the logs of running jobs of a list tell, by workflow id; see `JobHandle.steps` and `JobHandle.silence`.
   *
   * @internal
   */
  async logSigns(jobs: readonly JobSummary[]): Promise<ReadonlyMap<string, LogSigns>> {
    const { findLogSigns } = await import('../use-cases/pods/silence.ts');
    return findLogSigns(this.#ports, jobs);
  }

  /**
   * Returns what the cluster has on record of jobs of a list, by workflow id.
   *
   * @internal
   */
  async details(jobs: readonly JobSummary[]): Promise<ReadonlyMap<string, JobDetails>> {
    const { findDetails } = await import('../use-cases/observe/job-details.ts');
    return findDetails(this.#ports, jobs);
  }

  /**
   * Adds up what the devices of many jobs were used for and, with prices, what that cost: of the jobs that Temporal has, and of
   * those of an archive. Throws `RefusedError` for a key that is no label of any job, and for invalid prices. docs/cost.md
   *
   * @example
   * ```ts
   * const archive = await openArchive('/var/lib/signalbox/archive');
   * for (const { by, resources } of await client.cost({ by: ['team'], since: new Date('2026-11-01'), archive }))
   *   console.log(by.team, resources[0]?.ms, resources[0]?.goodput);
   * ```
   */
  async cost({ archive, ...options }: CostOptions & BesideArchive): Promise<readonly UseGroup[]> {
    await refuseUnknownOptions({ cost: options });
    const { groupedCost } = await import('../use-cases/cost/grouped-cost.ts');
    return groupedCost({ ports: this.#ports, archive: archive?.recorded }, options);
  }

  /**
   * Returns what became of the jobs of a namespace within some days, and of what they held, as `signalbox report --since`
   * shows it; `archive` as for `cost`.
   */
  async report({ archive, ...options }: PeriodOptions & BesideArchive = {}): Promise<PeriodReport> {
    await refuseUnknownOptions({ report: options });
    const { periodReport } = await import('../use-cases/report/period-report.ts');
    return periodReport({ ports: this.#ports, archive: archive?.recorded }, options);
  }

  /**
   * Returns what the index would have of jobs that are not archived.
   *
   * @internal
   */
  async unarchivedRows(scope: UnarchivedScope): Promise<readonly IndexRows[]> {
    const { unarchivedRows } = await import('../use-cases/cost/unarchived-rows.ts');
    return unarchivedRows(this.#ports, scope);
  }

  /** Counts recorded jobs by phase. */
  async count(filter: JobFilter = {}, options: CallOptions = {}): Promise<Readonly<Record<Phase, number>>> {
    await refuseUnknownOptions({ list: filter, call: options });
    const { countedJobs } = await import('../use-cases/find/find-jobs.ts');
    return countedJobs(this.#ports, filter, options);
  }

  /**
   * Runs a job for each combination of values, at most `atMost` at once; a worker starts them, so this program may end. A
   * plain name is an environment variable of the containers that use it, e.g. as `$(lr)` in args; a name with a dot is the
   * path of a field. Checks all trials first, and throws `InvalidManifestError` with their faults. The same sweep again finds
   * the one that runs, or, after its end, runs the trials that have not completed. docs/client.md
   *
   * @example
   * ```ts
   * const sweep = await client.sweep(manifest, { set: { lr: [0.1, 0.01], seed: [1, 2, 3] }, atMost: 4 });
   * const { completed, failed, failures } = await sweep.wait();
   * ```
   */
  async sweep(manifest: object, options: SweepOptions): Promise<SweepHandle> {
    await refuseUnknownOptions({ sweep: options });
    const { startParameterSweep } = await import('../use-cases/parameter-sweep/start-sweep.ts');
    return new this.#handles.SweepHandle(
      this.#ports,
      await startParameterSweep(this.#ports, manifest, options),
    );
  }

  /** Lists sweeps: live ones first, newest first in each group. Needs no worker. */
  async *sweeps(filter: SweepFilter = {}, options: CallOptions = {}): AsyncGenerator<ListedSweep> {
    await refuseUnknownOptions({ sweeps: filter, call: options });
    const { listSweeps } = await import('../use-cases/parameter-sweep/list-sweeps.ts');
    yield* listSweeps(this.#ports, filter, options);
  }

  /** Returns a handle for the newest sweep of a name. Sends no request. */
  sweepNamed({
    name,
    namespace = this.#ports.namespace,
  }: {
    readonly name: string;
    readonly namespace?: string;
  }): SweepHandle {
    return new this.#handles.SweepHandle(this.#ports, {
      workflowId: parameterSweepIdOf({ name, namespace }),
    });
  }

  /** Jobs that start by the clock. */
  get schedules(): JobSchedules {
    return new this.#handles.JobSchedules(this.#ports);
  }

  /** The lanes that jobs wait in. */
  get lanes(): JobLanes {
    return new this.#handles.JobLanes(this.#ports);
  }

  /** Lists what the notifier has told, or tries to tell: undelivered ones first, newest first. Needs no worker. */
  async *notifications(
    filter: NotificationFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListedNotification> {
    await refuseUnknownOptions({ notifications: filter, call: options });
    const { listNotifications } = await import('../use-cases/notifications/list-notifications.ts');
    yield* listNotifications(this.#ports, filter, options);
  }

  /** What archives jobs as they end. */
  get archiver(): JobArchiver {
    return new this.#handles.JobArchiver(this.#ports);
  }

  /** Closes the connections; handles of this client no longer work. */
  async close(): Promise<void> {
    await this.#ports.temporal.connection.close();
    await this.#servers.close();
  }

  #handle(job: SubmittedJob): JobHandle {
    return new this.#handles.JobHandle(this.#ports, job);
  }
}

type Handles = Awaited<ReturnType<typeof loadHandles>>;

/** They load Temporal's client, which a program that only imports this does not need. */
async function loadHandles() {
  const [{ JobHandle }, { JobLanes }, { JobSchedules }, { JobArchiver }, { SweepHandle }] = await Promise.all(
    [
      import('./job-handle.ts'),
      import('./job-lanes.ts'),
      import('./job-schedules.ts'),
      import('./job-archiver.ts'),
      import('./sweep-handle.ts'),
    ],
  );
  return { JobHandle, JobLanes, JobSchedules, JobArchiver, SweepHandle };
}
