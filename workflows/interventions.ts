import {
  EXTEND_DEADLINE_UPDATE,
  type ExtendRequest,
  explainSeconds,
  HOLD_UPDATE,
  type HoldRequest,
  type Intervention,
  RELEASE_UPDATE,
  RESUME_UPDATE,
  RETRY_NOW_UPDATE,
  STOP_UPDATE,
  type StopRequest,
  SUSPEND_UPDATE,
} from '../contracts/messages.ts';
import { shorten } from '../contracts/shorten.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { Position } from '../machines/chart/position.ts';
import type { InterventionCause, JobEvent } from '../machines/model/job-events.ts';
import { jobPolicy } from '../machines/model/policy.ts';
import { endsBySignal } from '../machines/stopping/checkpoint.ts';

/** A job's state when a request arrives; it has no position before it is admitted. */
export interface JobView {
  readonly status: JobStatus;
  readonly position?: Position;
}

/** A request that a person can make to a job that has not ended. */
export interface InterventionSpec {
  /** Name of the Temporal update. */
  readonly update: string;
  /** As Temporal shows it. */
  readonly description: string;
  /** Returns why the job cannot do it in its present state. */
  readonly refusal?: (standing: JobView, asked: Request) => string | undefined;
  readonly event: (asked: Request, at: number) => JobEvent;
}

/** Callers may omit any field. */
type Request = Partial<StopRequest & ExtendRequest & HoldRequest>;

const WHO = '{by, why}, both optional';

export const INTERVENTIONS: readonly InterventionSpec[] = [
  {
    update: STOP_UPDATE,
    description: `Stop the job and remove its pods, services and group. Argument: {by, why, checkpoint}, all optional; with checkpoint: true it is first asked for one, as its policy says how.`,
    refusal: ({ position }, { checkpoint }) =>
      checkpoint && position && !jobPolicy(position.context).checkpoint
        ? 'its policy does not say how it is asked for a checkpoint (checkpoint.file or checkpoint.signal)'
        : undefined,
    event: (asked, at) => ({
      type: 'stop',
      cause: { reason: 'StopRequested', ...intervention('stopped', asked) },
      ...(asked.checkpoint ? { checkpoint: true } : {}),
      at,
    }),
  },
  {
    update: SUSPEND_UPDATE,
    description: `Remove the job’s pods, services and group until it is resumed. Argument: ${WHO}.`,
    // A suspended job that is to resume once its pods are gone can still be suspended again.
    refusal: ({ status, position }) =>
      status.phase === 'Suspended' && position?.context.suspension
        ? 'the job is already suspended'
        : whileEnding(position),
    event: (asked, at) => ({
      type: 'suspend',
      cause: { reason: 'Suspended', ...intervention('suspended', asked) },
      at,
    }),
  },
  {
    update: RESUME_UPDATE,
    description: `Start the pods of a suspended job again. Argument: ${WHO}.`,
    refusal: ({ status: { phase } }) =>
      phase === 'Suspended' ? undefined : `the job is not suspended: ${phase}`,
    event: (asked, at) => ({ type: 'resume', cause: intervention('resumed', asked), at }),
  },
  {
    update: RETRY_NOW_UPDATE,
    description: `End the wait before the next restart, or before the next try of what the API server refuses. Argument: ${WHO}.`,
    refusal: ({ status, position }) =>
      position && waitsForNextTry(position)
        ? undefined
        : `the job does not wait for its next restart: ${status.state}`,
    event: (asked, at) => ({
      type: 'retryNow',
      cause: intervention('retried at once', asked),
      at,
    }),
  },
  {
    update: EXTEND_DEADLINE_UPDATE,
    description: 'Add to activeDeadlineSeconds. Argument: {seconds, by, why}.',
    refusal: ({ position }, { seconds }) =>
      explainSeconds(seconds, 1) ??
      (position?.context.plan.runPolicy.activeDeadlineSeconds === undefined
        ? 'the job has no activeDeadlineSeconds'
        : whileEnding(position)),
    event: (asked, at) => ({
      type: 'extendDeadline',
      seconds: asked.seconds!,
      cause: intervention(`deadline extended by ${asked.seconds} s`, asked),
      at,
    }),
  },
  {
    update: HOLD_UPDATE,
    description:
      'Keep failed pods for so long, now or at the next failure; 0: not at all. Argument: {seconds, by, why}.',
    refusal: ({ position }, { seconds }) =>
      explainSeconds(seconds, 0) ?? (position?.tags.has('held') ? undefined : whileEnding(position)),
    event: (asked, at) => ({
      type: 'hold',
      seconds: asked.seconds!,
      cause: intervention(`failed pods are to be kept for ${asked.seconds} s`, asked),
      at,
    }),
  },
  {
    update: RELEASE_UPDATE,
    description: `Let a job that is held for debugging go on. Argument: ${WHO}.`,
    refusal: ({ status, position }) =>
      position?.tags.has('held') ? undefined : `the job is not held: ${status.state}`,
    event: (asked, at) => ({
      type: 'release',
      cause: intervention('released', asked),
      at,
    }),
  },
];

/** Returns the updates that a job accepts after its outcome is decided. */
export function openWhileEnding({ position }: JobView): readonly string[] {
  switch (position?.state) {
    case 'Finishing.Holding':
      return [HOLD_UPDATE, RELEASE_UPDATE, STOP_UPDATE];
    case 'Finishing.Checkpointing':
      return [STOP_UPDATE];
    case 'Finishing.CleaningUp':
      return [
        ...(endsBySignal(position.context) ? [STOP_UPDATE] : []),
        ...(position.context.refusedCleanUp ? [RETRY_NOW_UPDATE] : []),
      ];
    default:
      return [];
  }
}

/** Whether the job waits for its next restart, or for a refused effect. */
const waitsForNextTry = ({ tags, context: { refusedEffects, refusedCleanUp, outcome } }: Position): boolean =>
  tags.has('waitsToRestart') || (refusedEffects !== undefined && !outcome) || refusedCleanUp !== undefined;

/** The history has the full text; the job's copy is passed from run to run. */
const WORDS_LENGTH = 1_000;

export function intervention(done: string, asked: Intervention | null | undefined): InterventionCause {
  const { by, why } = asked ?? {};
  const message = `${done}${by ? ` by ${by}` : ''}${why ? `: ${why}` : ''}`;
  return { message: shorten(message, WORDS_LENGTH) };
}

const whileEnding = (position: Position | undefined) =>
  position?.tags.has('ending') ? `the end of the job is decided: ${position.state}` : undefined;
