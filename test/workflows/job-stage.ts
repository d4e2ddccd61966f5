import type { Activities } from '../../activities/activities.ts';
import type { Begun } from '../../activities/first-effects.ts';
import type { LedgerPage } from '../../contracts/ledger.ts';
import { DIGEST_SIGNAL, STATUS_QUERY } from '../../contracts/messages.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { JobStatus, LedgerEntry } from '../../contracts/types.ts';
import { trainingJob } from '../../workflows/training-job.ts';
import { aDigest, type DigestBuilder } from '../machines/builders.ts';
import { aManifest, anAdmission } from './admissions.ts';
import type { PendingActivity } from './pending-activity.ts';
import { startWorkflow, type Waiting, type WorkflowHost } from './workflow-host.ts';
import { outcomeIn, type RunInput, signal } from './workflow-messages.ts';

type AdmitCallerRequest = Parameters<Activities['admit']>[0];

/** A whole job in its workflow. The test plays the cluster and the watcher. */
export class JobStage {
  readonly flow: WorkflowHost;

  private constructor(flow: WorkflowHost) {
    this.flow = flow;
  }

  /** Starts the workflow, up to its request for admission. */
  static async submit(
    manifest: unknown = aManifest(),
    waiting?: Waiting,
    input: Partial<RunInput> = {},
  ): Promise<JobStage> {
    return new JobStage(await startWorkflow(trainingJob, { args: [manifest], ...input }, waiting));
  }

  /** Starts the workflow, up to the creation of its pods. */
  static async admitted(manifest = aManifest()): Promise<JobStage> {
    const stage = await JobStage.submit(manifest);
    await stage.admits(anAdmission(manifest));
    return stage;
  }

  /** Starts the workflow, until all pods are ready and no activity is in progress. */
  static async running(manifest = aManifest()): Promise<JobStage> {
    const stage = await JobStage.admitted(manifest);
    await stage.completes('createAttempt', 10);
    await stage.receives(allReady(11));
    return stage;
  }

  async nextRun(waiting?: Waiting): Promise<JobStage> {
    return new JobStage(await this.flow.nextRun(waiting));
  }

  async admits(admission: Begun = anAdmission()): Promise<void> {
    await this.flow.activity('admit').completes(admission);
  }

  get admitRequest(): AdmitCallerRequest {
    return this.flow.activity('admit').request as AdmitCallerRequest;
  }

  /** Completes an activity. The job ignores digests older than `resourceVersion`. */
  async completes(activity: string, resourceVersion = 0): Promise<void> {
    await this.flow.activity(activity).completes({ resourceVersion });
  }

  receives(digest: DigestBuilder): Promise<void> {
    return this.flow.receives(this.digestSignal(digest));
  }

  /** Returns the signal of a digest, to be received together with something else. */
  digestSignal(digest: DigestBuilder) {
    return signal(DIGEST_SIGNAL, digest.build());
  }

  /** Completes the record of the status. */
  async records(): Promise<void> {
    await this.recording.completes();
  }

  get recording(): PendingActivity {
    return this.flow.activity('recordStatus');
  }

  async status(): Promise<JobStatus> {
    return (await this.flow.query(STATUS_QUERY)) as JobStatus;
  }

  /** The entries of this run. */
  async ledger(): Promise<readonly LedgerEntry[]> {
    return ((await this.flow.query('ledger')) as LedgerPage).entries;
  }

  async state(): Promise<string> {
    return (await this.status()).state;
  }

  get inProgress(): readonly string[] {
    return this.flow.activities.map(({ type }) => type);
  }

  /** The outcome that the workflow completed or failed with. */
  get outcome(): JobOutcome | undefined {
    return outcomeIn(this.flow.ending);
  }
}

export const allReady = (resourceVersion: number) =>
  aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 2 });
export const masterDone = (resourceVersion: number) =>
  aDigest(resourceVersion).master({ succeeded: 1 }).workers({ ready: 2 });
