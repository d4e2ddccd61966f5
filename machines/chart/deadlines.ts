import { bindEndsAt, isKeptFromNodes } from '../gang/lift.ts';
import { placementEndsAt } from '../gang/roll-back.ts';
import {
  ACTIVE_DEADLINE,
  AVOIDANCE,
  BACK_OFF,
  BIND,
  CHECKPOINT,
  FORCE_DELETE,
  HOLD,
  type JobContext,
  LOOK,
  NODE_LOST,
  PLACEMENT,
  RECOVERY,
  REFUSED,
  SPARES,
  STALL,
  START_UP,
} from '../model/job-context.ts';
import { activeDeadlineOf } from '../model/policy.ts';
import { onlySilentLeftSince } from '../nodes/left-behind.ts';
import { nextFarewellAt } from '../nodes/lost-nodes.ts';
import { avoidanceEndsAt } from '../nodes/node-avoidance.ts';
import { sparesDueAt } from '../spares/keep-spares.ts';
import { checkpointEndsAt } from '../stopping/checkpoint.ts';
import { holdEndsAt } from '../stopping/hold.ts';
import { forceDeleteAt, looksAgainAt } from '../stopping/stuck-pods.ts';
import { recoveryEndsAt } from '../timeouts/recovery.ts';
import { refusalsEndAt } from '../timeouts/refusals.ts';
import { stallsAt } from '../timeouts/stall.ts';
import { startUpEndsAt } from '../timeouts/startup.ts';
import type { StateTag } from './job-setup.ts';
import type { Position, StatePath } from './position.ts';

/** When each timer fires, by name, in epoch milliseconds. */
export type Deadlines = Readonly<Record<string, number>>;

type Time = number | undefined;
type TimeOf = (context: JobContext) => Time;

/**
 * Returns all deadlines of a job: they follow from its state, from times in its context, and from the present policy. A
 * deadline that has passed stays until the event of its timer changes one of these.
 */
export function deadlinesOf(position: Position): Deadlines {
  const times = DEADLINES.map(([name, at]) => [name, at(position)] as const);
  return Object.fromEntries(
    times.filter((entry): entry is readonly [string, number] => entry[1] !== undefined),
  );
}

/** In the order in which timers of one step are started. */
const DEADLINES: readonly (readonly [name: string, (position: Position) => Time])[] = [
  [ACTIVE_DEADLINE, beforeTheEnd(activeUntil)],
  [START_UP, during('starting', startUpEndsAt)],
  [FORCE_DELETE, during('deleting', (context) => forceDeleteAt(context) ?? onlySilentLeftSince(context))],
  [BACK_OFF, beforeTheEnd(({ backsOffUntil }) => backsOffUntil, { unless: ['suspended'] })],
  [BIND, beforeTheEnd(bindEndsAt, { unless: ['suspended', 'restartsGang'] })],
  [PLACEMENT, during('unplaced', placementEndsAt)],
  [RECOVERY, during('recovering', unlessKept(recoveryEndsAt))],
  // The pods of a gang that restarts are all being deleted anyway.
  [NODE_LOST, beforeTheEnd(nextFarewellAt, { unless: ['suspended', 'restartsGang'] })],
  [AVOIDANCE, beforeTheEnd(avoidanceEndsAt, { unless: ['suspended'] })],
  [STALL, inState('Running', stallsAt)],
  [SPARES, inState('Running', sparesDueAt)],
  [LOOK, ({ context }) => looksAgainAt(context)],
  [HOLD, during('held', holdEndsAt)],
  [CHECKPOINT, during('checkpointing', checkpointEndsAt)],
  [REFUSED, ({ context, tags }) => refusalsEndAt(context, { isCapturing: tags.has('capturing') })],
];

function inState(state: StatePath, at: TimeOf) {
  return (position: Position) => (position.state === state ? at(position.context) : undefined);
}

function during(tag: StateTag, at: TimeOf) {
  return ({ tags, context }: Position) => (tags.has(tag) ? at(context) : undefined);
}

/** Such pods cannot come back. */
function unlessKept(at: TimeOf): TimeOf {
  return (context) => (isKeptFromNodes(context) ? undefined : at(context));
}

/** An outcome stays as it is, whatever time passes. */
function beforeTheEnd(at: TimeOf, { unless = [] }: { readonly unless?: readonly StateTag[] } = {}) {
  return ({ tags, context }: Position) =>
    context.outcome || unless.some((tag) => tags.has(tag)) ? undefined : at(context);
}

function activeUntil(context: JobContext): Time {
  const { activeSince } = context;
  const seconds = activeDeadlineOf(context);
  return activeSince === undefined || seconds === undefined ? undefined : activeSince + seconds * 1000;
}
