import { activityInfo, Context, heartbeat } from '@temporalio/activity';
import type { JobHandle, Outcome, SignalboxClient } from 'signalbox';

/** How an activity runs a training job.
 * @public
 */
export interface RunTrainingJobOptions {
  /** Kubernetes namespace of a job whose manifest has none; default: the client's. */
  readonly namespace?: string;
  /** The idempotency key of the submission; default: the activity's own id, which all its attempts share. */
  readonly key?: string;
  /** Whether a job that is stopped because the activity was cancelled saves a checkpoint first; default: no. */
  readonly checkpoint?: boolean;
  /** Why the job is run; recorded. */
  readonly why?: string;
}

/** The activities of `trainingJobActivities`, for `proxyActivities`.
 * @public
 */
export interface TrainingJobActivities {
  /** Runs a training job and returns its outcome: Completed, Failed and Stopped alike. */
  runTrainingJob(manifest: object, options?: RunTrainingJobOptions): Promise<Outcome>;
}

/**
 * Activities for your worker that run training jobs through a client, for workflows in another Temporal namespace or
 * cluster than signalbox's. The activity submits the job once, however often it is tried, heartbeats while it waits, and
 * stops the job when it is cancelled. A worker that shuts down leaves the job alone: the next try finds it.
 *
 * Give the activity a heartbeat timeout, e.g. a minute, and a start-to-close timeout longer than the job.
 *
 * @example
 * ```ts
 * const client = await SignalboxClient.connect({ temporal: { address: 'signalbox.example:7233', namespace: 'ml' } });
 * const worker = await Worker.create({ taskQueue: 'mine', workflowsPath, activities: trainingJobActivities(client) });
 * ```
 *
 * @public
 */
export function trainingJobActivities(client: SignalboxClient): TrainingJobActivities {
  return {
    async runTrainingJob(manifest, { checkpoint, ...options } = {}) {
      const { cancellationSignal: signal } = Context.current();
      let job: JobHandle | undefined;
      const beats = setInterval(() => heartbeat(job?.workflowId), heartbeatInterval());
      try {
        // Without `signal`: a start that is on its way cannot be taken back, and the job that it starts must be stopped.
        job = await client.submit(manifest, {
          ...options,
          key: options.key ?? ownKey(),
          cleanUpSignal: signal,
        });
        return await outcomeOfJob(job, checkpoint);
      } finally {
        clearInterval(beats);
      }
    },
  };
}

/** Waits for the end of a job. If the activity was cancelled, also while it submitted the job, stops it. */
async function outcomeOfJob(job: JobHandle, checkpoint?: boolean): Promise<Outcome> {
  try {
    return await job.wait({ signal: Context.current().cancellationSignal });
  } catch (error) {
    if (Context.current().cancellationDetails?.cancelRequested) await stop(job, checkpoint);
    throw error;
  }
}

/** All tries of the activity share it. */
function ownKey(): string {
  const { workflowExecution, activityId } = activityInfo();
  return `${workflowExecution?.workflowId}/${workflowExecution?.runId}/${activityId}`;
}

/** In milliseconds. Temporal tells of a cancellation in the answer to a heartbeat. */
function heartbeatInterval(): number {
  const { heartbeatTimeoutMs } = activityInfo();
  return Math.min(5_000, (heartbeatTimeoutMs ?? Number.POSITIVE_INFINITY) / 3);
}

async function stop(job: JobHandle, checkpoint = false): Promise<void> {
  const by = `workflow ${activityInfo().workflowExecution?.workflowId}`;
  await job.stop({ by, why: 'the calling activity was cancelled', checkpoint });
  await job.wait();
}
