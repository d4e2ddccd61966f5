import type { Digest } from '../contracts/digest.ts';
import type { Cause, FinalPhase } from '../contracts/status.ts';
import type { GangProvider, Plan } from '../contracts/training-job.ts';
import type { BackOff } from './back-off.ts';

/** All that decisions are made from. Plain JSON: it is carried through continue-as-new as it is. */
export interface JobContext {
  readonly plan: Plan;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  /** Pods are created only once the gang's scheduler has let the group in. */
  readonly queued?: boolean;
  /** From 1. */
  readonly attempt: number;
  /** The newest word of the watcher about this attempt. */
  readonly digest?: Digest;
  /**
   * A digest must have read the pods up to this resource version before anything is decided from it: an older one has
   * not seen what was created or deleted last.
   */
  readonly barrier: number;
  /** Indices that have succeeded, as ranges, by role in lower case; remembered when their pods are gone. */
  readonly done: Readonly<Record<string, string>>;
  readonly restarts: Restarts;
  readonly backOff?: BackOff;
  /** Why the job has no pods, and shall have none. */
  readonly suspension?: Cause;
  /** The pods of roles that come after others have been created. */
  readonly launched?: boolean;
  /** What is made from now on is placed by itself. */
  readonly leftGang?: boolean;
  /** Hash of the list of pods that was published last. */
  readonly roster?: string;
  /** Epoch milliseconds by name. */
  readonly deadlines: Readonly<Record<string, number>>;
  readonly outcome?: { readonly phase: FinalPhase; readonly cause?: Cause };
}

export interface Restarts {
  /** Pods made again. */
  readonly replaced: number;
  /** Of containers in place, of pods that are gone. */
  readonly earlier: number;
  /** Of containers in place, of the pods there are. */
  readonly present: number;
}

export interface JobInput {
  readonly plan: Plan;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly queued?: boolean;
}

/** Names of deadlines. */
export const ACTIVE_DEADLINE = 'activeDeadline';
export const BACK_OFF = 'backOff';

export function initialContext(input: JobInput): JobContext {
  return {
    plan: input.plan,
    anchorUid: input.anchorUid,
    gang: input.gang,
    queued: input.queued,
    attempt: 1,
    barrier: 0,
    done: {},
    restarts: { replaced: 0, earlier: 0, present: 0 },
    deadlines: {},
    ...(input.plan.runPolicy.suspend ? { suspension: SUSPENDED_AT_BIRTH } : {}),
  };
}

const SUSPENDED_AT_BIRTH: Cause = { reason: 'Suspended', message: 'spec.runPolicy.suspend: true' };

export const countRestarts = ({ replaced, earlier, present }: Restarts) => replaced + earlier + present;
