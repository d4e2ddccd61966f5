import { currentUpdateInfo } from '@temporalio/workflow';
import type { RequestCause } from '../contracts/ledger.ts';
import { explainSeconds, UPDATES } from '../contracts/messages.ts';
import { isFinal } from '../contracts/status.ts';
import type {
  Cause,
  ExtendRequest,
  HoldRequest,
  Intervention,
  JobStatus,
  StopRequest,
} from '../contracts/types.ts';
import { isFields } from '../language/fields.ts';
import { shorten } from '../language/shorten.ts';
import type { Position } from '../machines/chart/position.ts';
import type { InterventionCause, JobEvent } from '../machines/model/job-events.ts';
import { jobPolicy } from '../machines/model/policy.ts';
import { requestFault } from './request-faults.ts';

/** A job's state when a request arrives; before it is admitted, it has only a status. */
export interface JobView {
  readonly status: JobStatus;
  readonly position?: Position;
  /** Whether the statechart has a transition for the event. */
  readonly accepts?: (event: JobEvent) => boolean;
  /** Where people reach the console. */
  readonly consoleUrl?: string;
}

/** A request that a person can make to a job that has not ended. */
interface InterventionSpec {
  /** Name of the Temporal update. */
  readonly update: string;
  /** As Temporal shows it. */
  readonly description: string;
  /** The same with signalbox's own command line: the command, and what follows the job's name. */
  readonly command: readonly [name: string, ...options: string[]];
  /** Further fields of a request, apart from `by` and `why`. */
  readonly fields?: readonly string[];
  readonly example?: Request;
  /** It is a signal, too. */
  readonly isSignal?: true;
  /** Returns why a job that has not ended does not accept the event; absent if every such job accepts it. */
  readonly refusal?: (status: JobStatus) => string;
  /** It is of no use to a job that is not admitted yet. */
  readonly needsAdmission?: true;
  /** Returns why no job could understand the request. */
  readonly fault?: (asked: Request) => string | undefined;
  /** Returns why this job cannot do it. */
  readonly obstacle?: (asked: Request, position: Position | undefined) => string | undefined;
  readonly event: (asked: Request, at: number) => JobEvent;
}

/** Callers may omit any field. */
type Request = Partial<StopRequest & ExtendRequest & HoldRequest>;

/** Temporal's own tools may send no argument at all. */
export type Asked = Request | null | undefined;

const WHO = '{by, why}, both optional';

export const INTERVENTIONS: readonly InterventionSpec[] = [
  {
    update: UPDATES.stop,
    command: ['stop'],
    fields: ['checkpoint'],
    isSignal: true,
    description: `Stop the job and remove its pods, services and group. Argument: {by, why, checkpoint}, all optional; checkpoint: true first requests a checkpoint as the policy describes.`,
    fault: ({ checkpoint = false }) =>
      typeof checkpoint === 'boolean'
        ? undefined
        : `checkpoint: expected true or false, got ${JSON.stringify(checkpoint)}`,
    obstacle: ({ checkpoint }, position) =>
      checkpoint && position && !jobPolicy(position.context).checkpoint
        ? 'its policy does not say how to request a checkpoint (checkpoint.file or checkpoint.signal)'
        : undefined,
    event: (asked, at) => ({
      type: 'stop',
      cause: { reason: 'StopRequested', ...intervention('stopped', asked), ...requesterOf(asked) },
      ...(asked.checkpoint ? { checkpoint: true } : {}),
      at,
    }),
  },
  {
    update: UPDATES.suspend,
    command: ['suspend'],
    isSignal: true,
    description: `Remove the job’s pods, services and group until it is resumed. Argument: ${WHO}.`,
    refusal: () => 'the job is already suspended',
    event: (asked, at) => ({
      type: 'suspend',
      cause: { reason: 'Suspended', ...intervention('suspended', asked), ...requesterOf(asked) },
      at,
    }),
  },
  {
    update: UPDATES.resume,
    command: ['resume'],
    isSignal: true,
    description: `Start the pods of a suspended job again. Argument: ${WHO}.`,
    refusal: ({ phase }) => `the job is not suspended: ${phase}`,
    needsAdmission: true,
    event: (asked, at) => ({ type: 'resume', cause: intervention('resumed', asked), at }),
  },
  {
    update: UPDATES.retryNow,
    command: ['retry-now'],
    description: `Skip the wait before the next restart, or before the next attempt at what the API server refuses. Argument: ${WHO}.`,
    refusal: ({ state }) => `the job is not waiting for a restart: ${state}`,
    needsAdmission: true,
    event: (asked, at) => ({
      type: 'retryNow',
      cause: intervention('retried at once', asked),
      at,
    }),
  },
  {
    update: UPDATES.extendDeadline,
    command: ['extend-deadline', '--by 2h'],
    fields: ['seconds'],
    example: { seconds: 7_200 },
    description: 'Add to activeDeadlineSeconds. Argument: {seconds, by, why}.',
    fault: ({ seconds }) => explainSeconds(seconds, 1),
    obstacle: (_, position) =>
      position?.context.plan.runPolicy.activeDeadlineSeconds === undefined
        ? 'the job has no activeDeadlineSeconds'
        : undefined,
    event: (asked, at) => ({
      type: 'extendDeadline',
      seconds: asked.seconds!,
      cause: intervention(`deadline extended by ${asked.seconds} s`, asked),
      at,
    }),
  },
  {
    update: UPDATES.hold,
    command: ['hold', '--for 30m'],
    fields: ['seconds'],
    example: { seconds: 1_800 },
    description:
      'Keep failed pods for this long, now or at the next failure; 0 keeps none. Argument: {seconds, by, why}.',
    fault: ({ seconds }) => explainSeconds(seconds, 0),
    event: (asked, at) => ({
      type: 'hold',
      seconds: asked.seconds!,
      cause: intervention(`failed pods will be kept for ${asked.seconds} s`, asked),
      at,
    }),
  },
  {
    update: UPDATES.release,
    command: ['release'],
    description: `Let a job that is held for debugging continue. Argument: ${WHO}.`,
    refusal: ({ state }) => `the job is not held: ${state}`,
    needsAdmission: true,
    event: (asked, at) => ({
      type: 'release',
      cause: intervention('released', asked),
      at,
    }),
  },
];

/** Returns why a job refuses a request; undefined if it accepts it. */
export function refusalOf(spec: InterventionSpec, view: JobView, asked: Asked): string | undefined {
  const { status, position } = view;
  if (isOpenTo(spec, view)) {
    return faultOf(spec, asked) ?? spec.obstacle?.(asked ?? {}, position);
  }
  const ended = `the job has already ended: ${status.phase}`;
  return isFinal(status.phase) ? ended : (spec.refusal?.(status) ?? ended);
}

/** Returns why a request cannot be understood, whatever state the job is in. */
export const faultOf = ({ fields = [], fault }: InterventionSpec, asked: Asked): string | undefined =>
  requestFault(asked, fields) ?? fault?.(asked ?? {});

/** The statechart decides; arguments of a request do not matter to it. Before admission, events wait in the inbox. */
const isOpenTo = ({ event, needsAdmission }: InterventionSpec, { status, accepts }: JobView): boolean =>
  accepts ? accepts(event({}, Date.now())) : !needsAdmission && !isFinal(status.phase);

/** The history has the full text; the job's copy is passed from run to run. */
export const WORDS_LENGTH = 1_000;

export function intervention(done: string, asked: Intervention | null | undefined): InterventionCause {
  const { by, why } = asked ?? {};
  const message = `${done}${by ? ` by ${by}` : ''}${why ? `: ${why}` : ''}`;
  return { message: shorten(message, WORDS_LENGTH) };
}

/** Returns who asked, and why, as data: programs do not parse sentences. */
export function requesterOf({ by, why }: Intervention): Pick<Cause, 'by' | 'why'> {
  return {
    ...(typeof by === 'string' ? { by: shorten(by, WORDS_LENGTH) } : {}),
    ...(typeof why === 'string' ? { why: shorten(why, WORDS_LENGTH) } : {}),
  };
}

/** Returns a request as the ledger records it. `through`: an update has an id, a signal has none. */
export function requestOf(request: string, through: 'update' | 'signal', asked: unknown): RequestCause {
  const { by, why, ...others } = isFields(asked) ? asked : {};
  const id = through === 'update' ? currentUpdateInfo()?.id : undefined;
  return {
    ...{ type: 'request', request, through },
    ...(id === undefined ? {} : { id }),
    who: typeof by === 'string' ? { given: shorten(by, WORDS_LENGTH) } : {},
    ...(typeof why === 'string' ? { why: shorten(why, WORDS_LENGTH) } : {}),
    ...(isKnown(others) ? { asked: others } : {}),
  };
}

/** Any client of Temporal can send anything; the history has it all. */
const isKnown = (asked: object) =>
  Object.keys(asked).length > 0 && JSON.stringify(asked).length <= ASKED_LENGTH;

const ASKED_LENGTH = 10_000;
