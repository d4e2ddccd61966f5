import type { KubeObject } from '../../contracts/kubernetes.ts';
import { parameterSweepIdOf } from '../../contracts/parameter-sweep.ts';
import type { JobSilence, Phase, WhyAnswer } from '../../contracts/types.ts';
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
import type { JobFilter } from '../use-cases/find/job-filter.ts';
import { jobIdOf } from '../use-cases/find/job-id-of.ts';
import type { Outcome } from '../use-cases/observe/typed-outcome.ts';
import type { ListedSweep, SweepFilter } from '../use-cases/parameter-sweep/list-sweeps.ts';
import type { SweepOptions } from '../use-cases/parameter-sweep/sweep-options.ts';
import type { RerunOptions } from '../use-cases/rerun/rerun-options.ts';
import type { AppliedJob } from './applied-job.ts';
import type { ArchivedJobHandle } from './archived-job-handle.ts';
import type { JobArchiver } from './job-archiver.ts';
import type { JobHandle } from './job-handle.ts';
import type { JobLanes } from './job-lanes.ts';
import type { JobSchedules } from './job-schedules.ts';
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
    if (!('planRerun' in job)) return (await this.find(job, options)).rerun(options);
    const { startRerun } = await import('../use-cases/rerun/rerun-job.ts');
    return this.#handle(await startRerun(this.#ports, await job.planRerun(options), options));
  }

  /** Lists recorded jobs: live ones first, newest first in each group. */
  async *list(filter: JobFilter = {}, options: CallOptions = {}): AsyncGenerator<JobSummary> {
    const { listedJobs } = await import('../use-cases/find/find-jobs.ts');
    yield* listedJobs(this.#ports, filter, options);
  }

  /**
   * Returns how long running jobs of a list have written no line, by workflow id; see `JobHandle.silence`.
   *
   * @internal
   */
  async silences(jobs: readonly JobSummary[]): Promise<ReadonlyMap<string, JobSilence>> {
    const { findSilences } = await import('../use-cases/pods/silence.ts');
    return findSilences(this.#ports, jobs);
  }

  /** Counts recorded jobs by phase. */
  async count(filter: JobFilter = {}, options: CallOptions = {}): Promise<Readonly<Record<Phase, number>>> {
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
    const { startParameterSweep } = await import('../use-cases/parameter-sweep/start-sweep.ts');
    return new this.#handles.SweepHandle(
      this.#ports,
      await startParameterSweep(this.#ports, manifest, options),
    );
  }

  /** Lists sweeps: live ones first, newest first in each group. Needs no worker. */
  async *sweeps(filter: SweepFilter = {}, options: CallOptions = {}): AsyncGenerator<ListedSweep> {
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
