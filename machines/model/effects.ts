import type { AvoidedNode } from '../../contracts/avoided-nodes.ts';
import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { TakenPlace } from '../../contracts/spares.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import type { SurvivorGrace } from '../../contracts/survivors.ts';
import type { LedgerEffect } from '../../contracts/types.ts';

/** Effects of one track run one after the other; the tracks run side by side. */
const TRACKS = ['pods', 'hostLists', 'services', 'spares'] as const;

export type EffectTrack = (typeof TRACKS)[number];

/** An effect with fields `F`, all of which but `Kept` are the request of its activity. */
interface EffectRow<F extends object, Kept extends keyof F> {
  readonly fields?: F;
  readonly track: EffectTrack;
  /** The tracks whose effect in progress is cancelled before this one starts. */
  readonly cancels: readonly EffectTrack[];
  /** Fields that the activity does not need. */
  readonly kept?: readonly Kept[];
  /** What the ledger records of it. */
  readonly ledger: (effect: F) => Readonly<Record<string, unknown>>;
  /** What Temporal's tools show with its activity, in a sentence. `launch` uses that of another effect. */
  readonly summary?: (request: Omit<F, Kept | 'replace'> & RequestParts) => string;
  /** What a job does that decides so, for a comparison of decisions. States do not wait for effects without it. */
  readonly does?: (effect: F) => string;
}

/** What requests of some activities have, as the workflow makes them. */
interface RequestParts {
  readonly replace?: readonly FailedPodIdentity[];
  readonly again?: boolean;
  /** Of an effect that several activities share: its pods, by number. */
  readonly from?: number;
  readonly to?: number;
  /** What a clean-up records. */
  readonly record?: { readonly status: { readonly phase: string } };
}

const effect =
  <F extends object>() =>
  <Kept extends keyof F = never>(row: EffectRow<F, Kept>): EffectRow<F, Kept> =>
    row;

// A spare must not take the place of a pod that is being made.
const ON_PODS = { track: 'pods', cancels: ['pods', 'spares'] } as const;

/** Nothing may be written any more while these delete the pods of an attempt. */
const REMOVAL = { track: 'pods', cancels: TRACKS } as const;

/** No state waits for it. */
const beside = <T extends EffectTrack>(track: T) => ({ track, cancels: [track] }) as const;

/** How often and how pods are deleted. */
interface Deletion {
  /** Pods were left before. */
  readonly again?: boolean;
  /** Deletes pods past their grace period from the API server without waiting for their node. */
  readonly force?: boolean;
}

/** The whole gang goes. */
interface GangDeletion extends Deletion {
  /** Deletes pods by force once only pods on silent nodes are left, unless that is the whole gang. */
  readonly leavesSilent?: boolean;
}

/** Which pods an attempt has after it. */
interface Restoration extends Deletion {
  readonly attempt: number;
  readonly succeededIndices: Readonly<Record<string, string>>;
  readonly asGang: boolean;
  /** New members of the gang need no gate. */
  readonly isLifted?: boolean;
  readonly roles?: readonly string[];
  /** Nodes that new pods avoid. */
  readonly avoid?: readonly AvoidedNode[];
  /** Where the ranks meet: counts from one attempt that left pods behind to the next. */
  readonly meeting?: number;
  /** By role in lower case; absent for roles in their first incarnation. */
  readonly incarnations?: Readonly<Record<string, number>>;
}

/** Which pods are deleted, to be created again. */
export interface Replacement {
  /** Failed pods. */
  readonly replace: readonly FailedPodIdentity[];
  /**
   * More pods, if they have ended in an earlier incarnation than `incarnations`: indices as ranges, by role in lower
   * case.
   */
  readonly replaceAlso?: Readonly<Record<string, string>>;
  /** More pods of an earlier incarnation, whether they run or not: indices as ranges, by role in lower case. */
  readonly partitions?: Readonly<Record<string, string>>;
  /** Pods that wait in the gang, to be created outside of it. */
  readonly leaveGang?: boolean;
  /** Waiting pods whose avoidance of a node ends by then; epoch milliseconds. */
  readonly avoidedUntil?: number;
  /** Roles in lower case: all their pods of earlier incarnations. */
  readonly restartRoles?: readonly string[];
  readonly survivors?: SurvivorGrace;
  /** Spares whose places pods take. */
  readonly taken?: readonly TakenPlace[];
}

export interface FailedPodIdentity {
  readonly pod: string;
  readonly uid: string;
}

/**
 * Commands of the machine, as data: one row an effect. The workflow runs the activity of its name, and answers with
 * effectDone or effectFailed. Effects that delete pods report which are left after a moment.
 */
export const EFFECTS = {
  /** Creates only the group: its scheduler must admit it before pods are created. */
  createGroup: effect<{ readonly attempt: number }>()({
    ...ON_PODS,
    ledger: attemptOf,
    summary: ({ attempt }) => `Create the group of attempt ${attempt}; its scheduler has to admit it first`,
    does: () => 'starts the gang',
  }),
  /** Takes a place in the lane of the job. `yieldsTo`: for whom the attempt before had to go. */
  joinLane: effect<{ readonly attempt: number; readonly yieldsTo?: string }>()({
    ...ON_PODS,
    ledger: attemptOf,
    summary: ({ attempt }) => `Wait with attempt ${attempt} in the lane of the job`,
    does: () => 'waits in its lane',
  }),
  /** Without `roles`, creates every pod of the attempt. */
  createAttempt: effect<{
    readonly attempt: number;
    readonly roles?: readonly string[];
    readonly avoid?: readonly AvoidedNode[];
    readonly meeting?: number;
    /** Of a gated gang after its first attempt: since when it waits for its turn, in epoch milliseconds. */
    readonly queuedSince?: number;
    /** Takes what the lane has granted, unless that is over: until when, in epoch milliseconds. */
    readonly grantedUntil?: number;
    readonly taken?: readonly TakenPlace[];
  }>()({
    ...ON_PODS,
    ledger: ({ attempt, roles, taken, meeting }) => ({ attempt, roles, taken, meeting }),
    summary: ({ attempt, roles, from = 0, to, again }) =>
      `Create ${roles ? `the pods of ${roles.join(', ')}` : `pods ${from + 1} to ${to}`} of attempt ${attempt}${again ? ', refused before' : ''}`,
    does: () => 'starts the gang',
  }),
  /** Lifts the gates of a gated gang, unless its turn is over. */
  liftGates: effect<{
    readonly attempt: number;
    /** When the turn passes by the clock of the API server, in epoch milliseconds. */
    readonly until: number;
    /** In lower case, the most demanding first. */
    readonly roles: readonly string[];
    /** There is no room for the gang: watchers can tell it from one that is being placed by what its pods say. */
    readonly onQuota?: boolean;
  }>()({
    ...ON_PODS,
    ledger: attemptOf,
    summary: ({ attempt }) => `Lift the gates of the pods of attempt ${attempt}`,
    does: () => 'lifts its gates',
  }),
  /** Deletes every pod of a gated gang, unless enough of them have a node. */
  rollBack: effect<
    Deletion & {
      readonly attempt: number;
      /** A gang with as many members on nodes stays. */
      readonly enough: number;
    }
  >()({
    ...REMOVAL,
    ledger: ({ attempt, ...others }) => ({ attempt, ...howOf(others) }),
    summary: ({ attempt, ...others }) =>
      `Delete all pods of attempt ${attempt}, unless enough of them have a node${onceMore(others)}`,
    does: () => 'gives back its nodes',
  }),
  /** Creates pods of roles that wait for others, by the activity of `createAttempt`. */
  launch: effect<{
    readonly attempt: number;
    readonly roles: readonly string[];
    readonly succeededIndices: Readonly<Record<string, string>>;
    readonly avoid?: readonly AvoidedNode[];
    readonly meeting?: number;
  }>()({
    ...ON_PODS,
    ledger: ({ attempt, roles }) => ({ attempt, roles }),
    does: () => 'starts the gang',
  }),
  /** Updates the host list. */
  publishHostList: effect<{ readonly attempt: number; readonly hash: string }>()({
    ...beside('hostLists'),
    kept: ['hash'],
    ledger: attemptOf,
    summary: ({ attempt }) => `Write the list of hosts of attempt ${attempt}`,
  }),
  /** Creates Services again that the watcher does not find. */
  restoreServices: effect<{ readonly attempt: number; readonly names: readonly string[] }>()({
    ...beside('services'),
    kept: ['attempt'],
    ledger: ({ attempt, names }) => ({ attempt, services: names }),
    summary: ({ names = [] }) => `Create Services again that are gone: ${names.join(', ')}`,
  }),
  /** Makes and deletes spares, so that there are this many. */
  keepSpares: effect<{
    readonly attempt: number;
    readonly count: number;
    readonly avoid?: readonly AvoidedNode[];
  }>()({
    ...beside('spares'),
    kept: ['attempt'],
    ledger: ({ attempt, count }) => ({ attempt, count }),
    summary: ({ count }) =>
      count > 0 ? `Hold places with ${count} ${count > 1 ? 'spares' : 'spare'}` : 'Delete the spares',
  }),
  /** Deletes pods and creates them again, with those that are missing. */
  restorePods: effect<Replacement & Restoration>()({
    ...ON_PODS,
    ledger: ({ attempt, ...others }) => ({ attempt, ...replacedBy(others), ...howOf(others) }),
    summary: ({ attempt, replace = [], restartRoles = [], leaveGang, ...others }) => {
      const what = [
        ...(replace.length > 0 ? [listPods(replace)] : []),
        ...(restartRoles.length > 0 ? [`all pods of ${restartRoles.join(', ')}`] : []),
        ...(leaveGang ? ['pods that wait in the gang'] : []),
      ];
      return `Replace ${what.join(', ') || 'missing pods'} in attempt ${attempt}${onceMore(others)}`;
    },
    does: ({ restartRoles }) => (restartRoles ? 'restarts a role' : 'restarts pods'),
  }),
  /** Takes evidence of failed pods; without `pods`, of those that show most about a stalled job. */
  capture: effect<{
    readonly attempt: number;
    readonly pods?: readonly FailedPodIdentity[];
    /** Of these the one that shows why the job is in trouble. */
    readonly shows?: string;
  }>()({
    ...ON_PODS,
    ledger: ({ attempt, pods }) => ({ attempt, pods: pods?.map(({ pod }) => pod) }),
    summary: ({ pods }) => `Save evidence of ${pods ? listPods(pods) : 'the pods that show most'}`,
    does: () => 'takes evidence first',
  }),
  /** Deletes every pod of the attempt. */
  drain: effect<
    GangDeletion & {
      readonly attempt: number;
      /** Spares stay, but for those whose places are taken. */
      readonly keepsSpares?: boolean;
      readonly taken?: readonly TakenPlace[];
      readonly survivors?: SurvivorGrace;
    }
  >()({
    ...REMOVAL,
    ledger: ({ attempt, taken, ...others }) => ({ attempt, taken, ...howOf(others) }),
    summary: ({ attempt, ...others }) => `Delete all pods of attempt ${attempt}${onceMore(others)}`,
    does: () => 'restarts the gang',
  }),
  /**
   * Resizes the attempt: deletes excess pods, highest index first, and creates missing ones. Also does what is left of a
   * replacement of pods.
   */
  scale: effect<Partial<Replacement> & Restoration>()({
    ...ON_PODS,
    ledger: ({ attempt, ...others }) => ({ attempt, ...replacedBy(others), ...howOf(others) }),
    summary: ({ attempt, ...others }) => `Give attempt ${attempt} its new sizes${onceMore(others)}`,
    does: () => 'changes its size',
  }),
  requestCheckpoint: effect<{ readonly attempt: number }>()({
    ...ON_PODS,
    ledger: attemptOf,
    summary: ({ attempt }) => `Ask the pods of attempt ${attempt} for a checkpoint`,
    does: () => 'asks for a checkpoint',
  }),
  /** Removes the pods and their Services and group. */
  suspend: effect<GangDeletion>()({
    ...REMOVAL,
    ledger: howOf,
    summary: (request) => `Delete pods, services and group until the job is resumed${onceMore(request)}`,
    does: () => 'is suspended',
  }),
  cleanUp: effect<{
    readonly outcome: FinalPhase;
    readonly scope: CleanUpScope;
    /** Overrides the pods' own grace periods. */
    readonly graceSeconds?: number;
    readonly again?: boolean;
  }>()({
    ...REMOVAL,
    kept: ['outcome'],
    ledger: ({ outcome, scope, again }) => ({ outcome, scope, again }),
    summary: ({ scope, record, again }) => {
      const end = record ? `${record.status.phase}: ` : '';
      return `${end}${CLEAN_UP[scope]}${onceMore({ again })}`;
    },
    does: ({ outcome }) => `ends as ${outcome}`,
  }),
} as const;

type Rows = typeof EFFECTS;

/** The types of effects that run as activities. */
export type RunnableType = keyof Rows;

type FieldsOf<T extends RunnableType> = NonNullable<Rows[T]['fields']>;

export type RunnableEffect = { [T in RunnableType]: { readonly type: T } & FieldsOf<T> }[RunnableType];

export type Effect =
  | RunnableEffect
  /** Retries a refused effect at once. */
  | { readonly type: 'tryAgain' };

/** What an activity is asked of an effect. */
export type RequestedFields<T extends RunnableType> = Omit<FieldsOf<T>, NonNullable<Rows[T]['kept']>[number]>;

type AnyRow = EffectRow<object, never>;

export const trackOf = (type: RunnableType): EffectTrack => EFFECTS[type].track;

export const cancelledTracks = (type: RunnableType): readonly EffectTrack[] => EFFECTS[type].cancels;

/** Returns what an effect asks of its activity. */
export function requestedFields({ type, ...fields }: RunnableEffect): object {
  const kept: readonly string[] = (EFFECTS[type] as AnyRow).kept ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !kept.includes(name)));
}

/** Returns effects as the ledger records them: without fields that only activities need. */
export const ledgerEffects = (effects: readonly Effect[]): readonly LedgerEffect[] =>
  effects.flatMap((one) => (one.type === 'tryAgain' ? [] : [described(one)]));

function described({ type, ...fields }: RunnableEffect): LedgerEffect {
  const { ledger } = EFFECTS[type] as AnyRow;
  const known = Object.entries(ledger(fields)).filter(([, value]) => value !== undefined);
  return { effect: type, ...(known.length > 0 ? { what: Object.fromEntries(known) } : {}) };
}

/** What each activity of an effect does, in a sentence. */
export const EFFECT_SUMMARIES = Object.fromEntries(
  Object.entries(EFFECTS)
    .filter(([, { summary }]) => summary)
    .map(([type, { summary }]) => [type, summary]),
) as {
  readonly [T in Exclude<RunnableType, 'launch'>]: NonNullable<Rows[T]['summary']>;
};

/** What a job does that decides so; undefined for an effect that no state waits for. */
export function actOf({ type, ...fields }: RunnableEffect): string | undefined {
  return (EFFECTS[type] as AnyRow).does?.(fields);
}

function attemptOf({ attempt }: { readonly attempt: number }) {
  return { attempt };
}

function howOf({ again, force, leavesSilent }: GangDeletion) {
  return { again, force, leavesSilent };
}

const replacedBy = ({ replace, ...others }: Partial<Replacement>) => {
  const { replaceAlso, partitions, restartRoles, leaveGang, taken } = others;
  return {
    replace: replace?.length ? replace.map(({ pod }) => pod) : undefined,
    ...{ replaceAlso, partitions, restartRoles, leaveGang, taken },
  };
};

const onceMore = ({ again, force }: Deletion) => `${again ? ', once more' : ''}${force ? ', by force' : ''}`;

const MOST_NAMED = 3;

function listPods(pods: readonly { readonly pod: string }[]): string {
  const named = pods.slice(0, MOST_NAMED).map(({ pod }) => pod);
  const others = pods.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

const CLEAN_UP: Readonly<Record<CleanUpScope, string>> = {
  Everything: 'delete all pods and shared objects',
  All: 'delete all pods',
  Running: 'delete the pods that still run, keep the others',
  None: 'keep all pods',
};
