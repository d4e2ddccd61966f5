import type { ReasonCode } from './reasons.ts';
import type { Cause, Phase } from './status.ts';

/** The version of the ledger's form. A reader refuses a later one. */
export const LEDGER_SCHEMA = 'signalbox.dev/ledger/v1';

/** Query that returns a page of the entries of one run of the workflow, a `LedgerPage`. Argument: a `LedgerRequest`. */
export const LEDGER_QUERY = 'ledger';

/** Which entries of a run: from this sequence number on, at most so many. */
export interface LedgerRequest {
  readonly from?: number;
  readonly limit?: number;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; undefined after the last one. */
  readonly next?: number;
}

/**
 * One transition of a job, or one thing that somebody asked of it.
 *
 * @public
 */
export interface LedgerEntry {
  /** From 1, without gaps, over all runs of the workflow. */
  readonly seq: number;
  /** RFC 3339, in milliseconds, UTC. */
  readonly at: string;
  readonly attempt: number;
  /** The machine's state before, e.g. `Pending.Scheduling`; undefined for the first entry. */
  readonly from?: string;
  /** The machine's state after; the same as `from` if the state did not change. */
  readonly to: string;
  readonly phase: Phase;
  readonly cause: LedgerCause;
  /** One sentence: what happened. */
  readonly message: string;
  /**
   * Only details: an effect began or ended, what the job waits for is known better, or an update was refused, whose caller
   * knows that. The timeline leaves it out.
   */
  readonly minor?: true;
  /** What the job waits for from here on, or why it ends. */
  readonly reason?: ReasonCode;
  /** Why the job ends: in the entry that decides it, and in a later one that knows more. */
  readonly decided?: Cause;
  /** The rule that decided, e.g. `spec.pytorchReplicaSpecs.Worker.restartPolicy: Never`. */
  readonly rule?: string;
  /** The revision of the job that is in effect, from 1. */
  readonly revision: number;
  /** Effects that begin with this entry. How one ended is a later entry, whose cause says where it began. */
  readonly effects?: readonly LedgerEffect[];
  /** Pods by role and state, as last counted. */
  readonly counts?: Readonly<Record<string, LedgerCounts>>;
  /** Restarts so far, and what is charged to failure classes with a budget. */
  readonly restarts?: number;
  readonly budgets?: Readonly<Record<string, { readonly used: number; readonly allowed: number }>>;
  /** The last progress of the attempt, and when the job learned of it, RFC 3339. */
  readonly progress?: { readonly value: string; readonly at: string };
  /** Failed or vanished pods that this entry is about. */
  readonly pods?: readonly LedgerPod[];
  /** Nodes that this entry is about, or that new pods avoid from now on. */
  readonly nodes?: readonly string[];
  /** URLs of evidence records that were written. */
  readonly evidence?: readonly string[];
}

/**
 * Why an entry was written.
 *
 * @public
 */
export type LedgerCause =
  /** The first entry: the submission. */
  | { readonly type: 'submitted'; readonly who: LedgerWho; readonly why?: string; readonly parent?: string }
  /** The watcher's digest showed something new. */
  | { readonly type: 'digest' }
  /** A deadline passed. */
  | { readonly type: 'timer'; readonly timer: string }
  /** A request. */
  | {
      readonly type: 'request';
      /** Name of the update or signal, e.g. `stop`; `cancel` for a cancelled workflow. */
      readonly request: string;
      readonly through: 'update' | 'signal' | 'cancellation';
      /** Id of the update. */
      readonly id?: string;
      readonly who: LedgerWho;
      readonly why?: string;
      /** What was asked, beside who and why, e.g. `{replicas: 4, role: "Worker"}`. */
      readonly asked?: Readonly<Record<string, unknown>>;
      /** Why the job refused it; absent if it did not. */
      readonly refused?: string;
      /** Number of the revision that it made. The entry’s own `revision` is the one in effect: new sizes may have to wait. */
      readonly madeRevision?: number;
    }
  /** An effect of an earlier entry ended, or is refused by the API server for now. */
  | {
      readonly type: 'effect';
      readonly effect: string;
      readonly ended: 'done' | 'failed' | 'refused';
      /** Sequence number of the entry in which it began. */
      readonly began?: number;
      readonly ms?: number;
    }
  /** Temporal closed the workflow without the job's machine: it was terminated, or timed out. */
  | {
      readonly type: 'closed';
      readonly how: 'terminated' | 'timed out';
      readonly who: LedgerWho;
      readonly why?: string;
    };

/** A request. */
export type RequestCause = Extract<LedgerCause, { readonly type: 'request' }>;

/**
 * Who asked. Only `authenticated` was checked by a server; everything else is what the caller said.
 *
 * @public
 */
export interface LedgerWho {
  /** The name that the caller gave, e.g. by `--by`. */
  readonly given?: string;
  /** Where `given` comes from, if not from the request itself, e.g. `annotation signalbox.dev/requested-by`. */
  readonly source?: string;
  /** The identity of the caller's Temporal client, e.g. `966@laptop`. Not checked. */
  readonly identity?: string;
  /** The caller as Temporal's authorizer knew it; with the type `Kubernetes`, who wrote the job's custom resource. */
  readonly authenticated?: { readonly type: string; readonly name: string };
}

/** @public */
export interface LedgerEffect {
  readonly effect: string;
  /** What it is about, as far as people want to know, e.g. `{attempt: 2, replace: ["train-worker-3"]}`. */
  readonly what?: Readonly<Record<string, unknown>>;
}

/** @public */
export interface LedgerCounts {
  readonly wanted: number;
  readonly unscheduled?: number;
  readonly scheduled?: number;
  readonly ready?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** Pods that are being deleted: they may still hold their GPUs. */
  readonly terminating?: number;
}

/** @public */
export interface LedgerPod {
  readonly pod: string;
  readonly uid?: string;
  readonly role?: string;
  readonly node?: string;
  readonly container?: string;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
}
