import type { EngineCondition } from './engine-conditions.ts';
import type { ReasonCode } from './reasons.ts';
import type { Phase } from './types.ts';

/** What the notifier tells, and the workflows by which it does: docs/decisions/0127. */

/** Type of the workflow that looks for news, one for each installation. */
export const NOTIFIER = 'notifier';
export const notifierIdOf = (installation: string): string => `${NOTIFIER}/${installation}`;
/** Type of the workflow that delivers one message. */
export const NOTIFICATION = 'notification';

/** Notifiers poll a task queue of their own: workers have neither routes nor secrets. */
export const notifierQueueOf = (taskQueue: string): string => `${taskQueue}-notifier`;

/** `key`: of a notice. It is the id by which Temporal refuses to tell a thing twice. */
export const notificationIdOf = (route: string, key: string): string => `notify/${route}/${key}`;

/** One thing to tell. Plain JSON: it is the input of a workflow. */
export interface NotifiedChange {
  /** Of what began it: `RUN/EVENT` for a job, `engine/CONDITION/SINCE` for the engine. */
  readonly key: string;
  /** When it began, RFC 3339. */
  readonly at: string;
  /** What happened, in a sentence. */
  readonly message: string;
  readonly remedy?: string;
  /** It holds for so long, as the route asks. */
  readonly forMs?: number;
  readonly job?: NoticedJob;
  readonly engine?: EngineCondition;
}

/** The job that a notice is about, in the state that is told. */
export interface NoticedJob {
  readonly workflowId: string;
  readonly runId: string;
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  readonly phase: Phase;
  readonly reason?: ReasonCode;
  readonly attempt: number;
  readonly node?: string;
  readonly submittedBy?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Mail address of the owner, as the job's policy says. */
  readonly owner?: string;
}

/** A job as the visibility store knows it, without its state. */
export type NamedJob = Omit<NoticedJob, 'phase' | 'reason' | 'attempt' | 'node' | 'owner'>;

/** A message: the input of the workflow that delivers it. */
export interface NotificationRequest {
  readonly route: string;
  /** Name of the receiver. Its address and secrets stay with the notifier. */
  readonly to: string;
  readonly notices: readonly NotifiedChange[];
  /** Of a notice that is told with others: the workflow that tells them. */
  readonly within?: string;
}

/** How a notification ended. */
export interface NotificationResult {
  /** When the receiver took it, RFC 3339. */
  readonly at?: string;
  /** What it answered, in a word. */
  readonly answer?: string;
  /** How many notices it had. */
  readonly told: number;
  /** The workflow that told it with others. */
  readonly within?: string;
}

/** Memo of a notification, so that a list needs no history. */
export interface NotificationMemo {
  readonly route: string;
  readonly to: string;
  /** What is told, in a few words. */
  readonly says: string;
  /** When what is told began, RFC 3339. */
  readonly at: string;
  readonly within?: string;
}

/** What the notifier says of itself with each heartbeat, and to its successor. */
export interface NotifierBeat {
  /** All changes before were looked at. By Temporal's clock, RFC 3339. */
  readonly since?: string;
  /** Conditions of the engine, and since when they hold. */
  readonly engine: Readonly<Partial<Record<EngineCondition, string>>>;
  /** Notifications started, since the notifier was first started. */
  readonly started: number;
  /** Why the last look failed. */
  readonly problem?: string;
  /** Faults of the file of routes; the last good one is in use. */
  readonly faults?: readonly string[];
  readonly routes: number;
  /** When this was said, by Temporal's clock, RFC 3339. */
  readonly at: string;
}

/** Activities of the notifier. */
export interface NotifierActivities {
  lookForNews(last?: NotifierBeat): Promise<NotifierBeat>;
  deliver(request: NotificationRequest): Promise<Omit<NotificationResult, 'told'>>;
}
