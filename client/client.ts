import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../cluster/client.ts';
import type { Fault } from '../contracts/faults.ts';
import type { KubeObject } from '../contracts/kubernetes.ts';
import { workflowIdOf } from '../contracts/labels.ts';
import { DEFAULT_TASK_QUEUE } from '../contracts/messages.ts';
import type { ClusterSettings, EvidenceSettings, TemporalSettings } from '../contracts/settings.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import { connectTemporal } from '../temporal/connection.ts';
import { currentUser } from './current-user.ts';
import { ServerAwayError } from './errors.ts';
import { findWorkflowId } from './find-job.ts';
import { JobHandle } from './job-handle.ts';
import { type JobFilter, listJobs } from './list.ts';
import { checkedManifest, type Manifest } from './manifest.ts';
import { type SubmitOutcome, submit } from './submit.ts';
import type { JobSummary } from './summary.ts';
import { toClientError } from './temporal-errors.ts';

export interface ClientSettings {
  readonly temporal: TemporalSettings;
  /** For logs, evidence and `createIfAbsent`; default: the kubeconfig that kubectl would use. */
  readonly cluster?: Pick<ClusterSettings, 'kubeconfig' | 'context'>;
  /** Where workers store evidence of failed pods; default: their default directory. */
  readonly evidence?: EvidenceSettings;
  readonly taskQueue?: string;
  /** Namespace of jobs whose manifest or name has none. */
  readonly namespace?: string;
  /** Recorded with each submission; default: `user@host`. */
  readonly submittedBy?: string;
  /** Finds faults before a job is started; without it, the workflow finds them later. */
  readonly validate?: (manifest: Manifest) => readonly Fault[];
}

export interface SubmitOptions {
  /** Namespace of a job whose manifest has none. */
  readonly namespace?: string;
  readonly workflowId?: string;
  /** Run a completed job again. */
  readonly rerun?: boolean;
  /** Reject manifests with unknown fields before anything is started. */
  readonly strict?: boolean;
}

/**
 * The API for programs.
 *
 * ```ts
 * const client = await SignalboxClient.connect({ temporal: { address: 'localhost:7233', namespace: 'default' } });
 * const { job } = await client.submit(manifest);
 * const { phase, cause } = await job.wait();
 * await client.close();
 * ```
 */
export class SignalboxClient {
  readonly #settings: ClientSettings;
  readonly #temporal: Client;
  #cluster: Promise<ClusterClient> | undefined;
  #evidence: Promise<EvidenceStore> | undefined;

  private constructor(settings: ClientSettings, temporal: Client) {
    this.#settings = settings;
    this.#temporal = temporal;
  }

  /** Throws `ServerAwayError` if Temporal does not answer within ten seconds. */
  static async connect(settings: ClientSettings): Promise<SignalboxClient> {
    try {
      return new SignalboxClient(settings, await connectTemporal(settings.temporal));
    } catch (error) {
      if (isConfigurationError(error)) throw error;
      throw new ServerAwayError('Temporal', settings.temporal.address, error);
    }
  }

  /**
   * Starts a job, or finds it already started: submitting the same manifest twice creates one job. Throws
   * `InvalidManifestError` with all faults, or `NameTakenError` if a live job with another manifest has the name.
   */
  async submit(
    manifest: unknown,
    options: SubmitOptions = {},
  ): Promise<{ job: JobHandle; outcome: SubmitOutcome }> {
    const submission = {
      manifest: checkedManifest(manifest, {
        namespace: this.#namespaceFor(options),
        validate: options.strict ? await strictly() : this.#settings.validate,
      }),
      workflowId: options.workflowId,
      taskQueue: this.#settings.taskQueue ?? DEFAULT_TASK_QUEUE,
      submittedBy: this.#settings.submittedBy ?? currentUser(),
      rerun: options.rerun ?? false,
    };
    const workflowId = submission.workflowId ?? workflowIdOf(submission.manifest.metadata);
    const { run, outcome } = await this.#ask(workflowId, () => submit(this.#temporal, submission));
    return { job: this.#handle(run), outcome };
  }

  /** Returns a handle for a job by name and namespace, or by workflow id. Sends no request. */
  job(
    job: { readonly name: string; readonly namespace?: string } | { readonly workflowId: string },
  ): JobHandle {
    if ('workflowId' in job) return this.#handle({ workflowId: job.workflowId });
    const namespace = this.#namespaceFor(job);
    return this.#handle({ workflowId: workflowIdOf({ name: job.name, namespace }) });
  }

  /**
   * Returns a handle like `job`, but queries Temporal, so it also finds by name a job with a custom workflow id. Throws
   * `JobNotFoundError`, with the workflow ids if several jobs have the name.
   */
  async find(job: Parameters<SignalboxClient['job']>[0]): Promise<JobHandle> {
    if ('workflowId' in job) return this.job(job);
    const named = { name: job.name, namespace: this.#namespaceFor(job) };
    const workflowId = await this.#ask(workflowIdOf(named), () => findWorkflowId(this.#temporal, named));
    return this.#handle({ workflowId });
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
    return createIfAbsent(await this.#connectedCluster(), object, this.#namespaceFor(options));
  }

  /** Lists recorded jobs: live ones first, newest first in each group. */
  async *list(filter: JobFilter = {}): AsyncGenerator<JobSummary> {
    try {
      yield* listJobs(this.#temporal, filter);
    } catch (error) {
      throw toClientError(error, { workflowId: '', address: this.#settings.temporal.address });
    }
  }

  async close(): Promise<void> {
    await this.#temporal.connection.close();
    (await this.#evidence?.catch(() => undefined))?.close();
    await (await this.#cluster?.catch(() => undefined))?.close();
  }

  #handle(job: { readonly workflowId: string; readonly runId?: string }): JobHandle {
    const context = {
      temporal: this.#temporal,
      temporalAddress: this.#settings.temporal.address,
      cluster: () => this.#connectedCluster(),
      evidence: () => this.#evidenceStore(),
    };
    return new JobHandle(context, job);
  }

  #connectedCluster(): Promise<ClusterClient> {
    this.#cluster ??= connectCluster(this.#settings.cluster);
    return this.#cluster;
  }

  #evidenceStore(): Promise<EvidenceStore> {
    this.#evidence ??= openEvidence(this.#settings.evidence);
    return this.#evidence;
  }

  #namespaceFor({ namespace }: { readonly namespace?: string }): string {
    return namespace ?? this.#settings.namespace ?? 'default';
  }

  async #ask<T>(workflowId: string, question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw toClientError(error, { workflowId, address: this.#settings.temporal.address });
    }
  }
}

// Most requests ask only Temporal, so what talks to Kubernetes, reads evidence or checks manifests is loaded when needed.

async function connectCluster(settings: ClientSettings['cluster']): Promise<ClusterClient> {
  const { ClusterClient } = await import('../cluster/client.ts');
  return ClusterClient.connect(settings);
}

async function openEvidence(settings: EvidenceSettings | undefined): Promise<EvidenceStore> {
  const [{ openEvidenceStore }, { defaultDirectory }] = await Promise.all([
    import('../evidence/open-store.ts'),
    import('../evidence/default-directory.ts'),
  ]);
  return openEvidenceStore(settings ?? { store: 'files', directory: defaultDirectory(process.env) });
}

async function strictly(): Promise<ClientSettings['validate']> {
  const { validateManifest } = await import('./offline/validate.ts');
  return (manifest) => validateManifest(manifest, { strict: true }).faults;
}

/** A missing certificate or module has a clear error message of its own. */
const isConfigurationError = (error: unknown) =>
  ['ENOENT', 'EACCES', 'ERR_MODULE_NOT_FOUND'].includes(String((error as { code?: unknown }).code)) ||
  error instanceof TypeError;
