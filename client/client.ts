import type { KubeObject } from '../contracts/kubernetes.ts';
import { workflowIdOf } from '../contracts/labels.ts';
import { DEFAULT_TASK_QUEUE } from '../contracts/messages.ts';
import type { Phase } from '../contracts/status.ts';
import type { AppliedJob, ApplyOptions } from './apply/apply-options.ts';
import type { ArchivedJobHandle } from './archive/archived-job-handle.ts';
import type { CallOptions, ClientSettings, JobSelector, SubmitOptions } from './client-settings.ts';
import { connectJobs } from './connect.ts';
import { currentUser } from './current-user.ts';
import { withEnvironment } from './environment.ts';
import { InvalidManifestError, RefusedError } from './errors.ts';
import { hasGeneratedName } from './generated-name.ts';
import type { JobArchiver } from './job-archiver.ts';
import type { JobFilter } from './job-filter.ts';
import type { JobHandle } from './job-handle.ts';
import { checkedManifest } from './manifest.ts';
import { OtherServers } from './other-servers.ts';
import type { RerunOptions } from './rerun/rerun-options.ts';
import type { JobSchedules } from './schedules/job-schedules.ts';
import type { JobSummary } from './summary.ts';
import type { TemporalJobs } from './temporal-jobs.ts';
import type { Outcome } from './typed-outcome.ts';

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
  readonly #settings: ClientSettings;
  readonly #jobs: TemporalJobs;
  readonly #servers: OtherServers;

  private constructor(settings: ClientSettings, jobs: TemporalJobs, servers: OtherServers) {
    this.#settings = settings;
    this.#jobs = jobs;
    this.#servers = servers;
  }

  /** Throws `ServerAwayError` if Temporal does not answer within the timeout, by default ten seconds. */
  static async connect(given: ClientSettings = {}, options: CallOptions = {}): Promise<SignalboxClient> {
    const settings = withEnvironment(given);
    const servers = new OtherServers(settings);
    return new SignalboxClient(settings, await connectJobs(settings, servers, options), servers);
  }

  /**
   * Starts a job, or finds it already started (`submission` of the handle): the same manifest, or the same `key`, gives
   * one job however often it is submitted. While an ended job of the name is cleaned up, it waits (`cleanUpTimeout`).
   * Throws `InvalidManifestError` with all faults, `NameTakenError` if a live job with another manifest or key has the
   * name, and `KeyReusedError` if the key was used for another manifest.
   */
  async submit(manifest: object, options: SubmitOptions = {}): Promise<JobHandle> {
    const { workflowId, key, labels, why, rerun = false, rerunOf, strict } = options;
    // A rerun of a recorded job may have a key: it is a submission of its own.
    if (rerun && key !== undefined && rerunOf === undefined) throw rerunWithKey();
    const validate = strict ? await strictly() : this.#settings.validate;
    const submission = {
      manifest: checkedManifest(manifest, {
        ...{ namespace: this.#namespaceFor(options), key, labels, validate },
      }),
      ...{ workflowId, key, why, rerun, rerunOf },
      taskQueue: this.#settings.taskQueue ?? DEFAULT_TASK_QUEUE,
      submittedBy: this.#settings.submittedBy ?? currentUser(),
    };
    return this.#jobs.submit(submission, options);
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
    if (hasGeneratedName(manifest)) throw applyWithGeneratedName();
    const { validateManifest } = await import('./offline/validate.ts');
    const { strict, why } = options;
    const validate = (named: object) => validateManifest(named, { strict }).faults;
    const application = {
      manifest: checkedManifest(manifest, { namespace: this.#namespaceFor(options), validate }),
      ...{ why, taskQueue: this.#settings.taskQueue ?? DEFAULT_TASK_QUEUE },
      submittedBy: this.#settings.submittedBy ?? currentUser(),
    };
    return this.#jobs.apply(application, options);
  }

  /**
   * Submits a job and waits for its outcome. `timeout` is that of the submission; `signal` ends both, but not the job: it
   * continues if it has started, and submitting it again finds it.
   */
  async submitAndWait(manifest: object, options: SubmitOptions = {}): Promise<Outcome> {
    const job = await this.submit(manifest, options);
    return job.wait({ signal: options.signal });
  }

  /** Returns a handle for a job by name and namespace, or by workflow id. Sends no request, so only `find` takes a `run`. */
  job(job: JobSelector): JobHandle {
    if (job.run !== undefined)
      throw new RefusedError('run: expected none, as `job` asks no server. Use `find`.');
    if ('workflowId' in job) {
      const { workflowId, runId } = job;
      return this.#jobs.handle({ workflowId, runId, firstRunId: runId });
    }
    const namespace = this.#namespaceFor(job);
    return this.#jobs.handle({ workflowId: workflowIdOf({ name: job.name, namespace }) });
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
    const { run } = job;
    const named = 'workflowId' in job ? job : { name: job.name, namespace: this.#namespaceFor(job) };
    if (run !== undefined) return this.#jobs.findRun(named, run, options);
    return 'workflowId' in named ? this.job(named) : this.#jobs.find(named, options);
  }

  /** Returns the jobs that had a name, as far as Temporal still has them, the newest first. The first but one is `run: '-1'`. */
  jobsOf(job: JobSelector, options: CallOptions = {}): Promise<readonly JobSummary[]> {
    const named = 'workflowId' in job ? job : { name: job.name, namespace: this.#namespaceFor(job) };
    return this.#jobs.ofName(named, options);
  }

  /**
   * Creates an object that a job needs, e.g. a PersistentVolumeClaim, unless one of that name exists; an existing
   * object stays unchanged. Needs access to the cluster.
   */
  async createIfAbsent(
    object: KubeObject,
    options: { readonly namespace?: string } = {},
  ): Promise<'created' | 'exists'> {
    const { createIfAbsent } = await import('./create-others.ts');
    return createIfAbsent(await this.#servers.cluster(), object, this.#namespaceFor(options));
  }

  /** Starts a new job from the recorded manifest of another one, which may be archived; see `JobHandle.rerun`. */
  async rerun(job: JobSelector | ArchivedJobHandle, options: RerunOptions = {}): Promise<JobHandle> {
    if (!('planRerun' in job)) return (await this.find(job, options)).rerun(options);
    const { manifest, parent } = await job.planRerun(options);
    const { name, key, why } = options;
    const workflowId = name === undefined ? parent.workflowId : undefined;
    const submission = { workflowId, key, why, rerun: true, rerunOf: parent };
    return this.submit(manifest, { ...options, ...submission });
  }

  /** Lists recorded jobs: live ones first, newest first in each group. */
  list(filter: JobFilter = {}, options: CallOptions = {}): AsyncGenerator<JobSummary> {
    return this.#jobs.list(filter, options);
  }

  /** Counts recorded jobs by phase. */
  count(filter: JobFilter = {}, options: CallOptions = {}): Promise<Readonly<Record<Phase, number>>> {
    return this.#jobs.count(filter, options);
  }

  /** Jobs that start by the clock. */
  get schedules(): JobSchedules {
    return this.#jobs.schedules({
      namespace: this.#namespaceFor({}),
      taskQueue: this.#settings.taskQueue ?? DEFAULT_TASK_QUEUE,
      submittedBy: this.#settings.submittedBy ?? currentUser(),
    });
  }

  /** What archives jobs as they end. */
  get archiver(): JobArchiver {
    return this.#jobs.archiver();
  }

  /** Closes the connections; handles of this client no longer work. */
  async close(): Promise<void> {
    await this.#jobs.close();
    await this.#servers.close();
  }

  #namespaceFor({ namespace }: { readonly namespace?: string }): string {
    return namespace ?? this.#settings.namespace ?? 'default';
  }
}

const applyWithGeneratedName = () =>
  new InvalidManifestError([
    { path: 'metadata.name', expected: 'a name, by which apply finds the job', got: 'a generateName' },
  ]);

const rerunWithKey = () =>
  new InvalidManifestError(
    [
      {
        path: 'rerun',
        expected: 'no rerun with a key, as a key that was used finds its run again',
        got: 'true',
      },
    ],
    [],
    { of: 'submit' },
  );

async function strictly(): Promise<ClientSettings['validate']> {
  const { validateManifest } = await import('./offline/validate.ts');
  return (manifest) => validateManifest(manifest, { strict: true }).faults;
}
