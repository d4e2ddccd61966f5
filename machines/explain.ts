import type { Cause } from '../contracts/status.ts';
import { BACK_OFF, CHECKPOINT, HOLD, type JobContext } from './job-context.ts';
import type { JobEvent } from './job-events.ts';
import type { Position } from './job-record.ts';
import { heldRoles, presentRoles } from './launch-order.ts';
import { explainTroubles } from './restart-decision.ts';
import { countMembers, sumOver } from './role-counts.ts';
import { timeOf } from './time.ts';

/** Why a state was entered, in a sentence for the timeline: also who asked for it, and what could not be had. */
export function explain(position: Position, event: JobEvent): string {
  const why = explainState(position, event);
  if (event.type === 'amend') return `${event.cause.message}; ${why}`;
  const isWithoutEvidence = event.type === 'effectFailed' && event.effect === 'capture';
  return isWithoutEvidence ? `${why}; evidence could not be taken: ${event.cause.message}` : why;
}

function explainState({ state, context }: Position, event: JobEvent): string {
  if (context.outcome) return explainEnd({ state, context }, event);
  if (event.type === 'resume' || event.type === 'retryNow' || event.type === 'release') {
    return event.cause.message;
  }
  const members = countMembers(context);
  switch (state) {
    case 'Suspended.Draining':
      return context.suspension?.message ?? state;
    case 'Suspended.Resting':
      return 'no pod is left';
    case 'Pending.Scheduling':
      return event.type === 'effectDone'
        ? `objects of attempt ${context.attempt} exist; ${waitingFor(context)}`
        : waitingFor(context);
    case 'Pending.Queued':
      return queuedFor(context);
    case 'Pending.Creating':
      if (context.queued) return context.digest?.gang?.message ?? 'the scheduler has let the group in';
      return `attempt ${context.attempt - 1} is gone; attempt ${context.attempt} begins`;
    case 'Pending.Scaling':
      return `roles are to have other sizes: ${sizesOf(context)}`;
    case 'Starting.Waiting':
      return `every pod has a node; ${readyOf(context)} of ${members} are ready`;
    case 'Starting.Launching':
      return `all ${readyOf(context)} pods are ready that ${namesOfHeld(context)} waited for`;
    case 'Running':
      return `all ${members} pods are ready`;
    case 'Restarting.Capturing':
      return `${explainRestart(context)}; evidence is being taken`;
    case 'Restarting.Holding':
      return `${explainRestart(context)}; ${heldUntil(context)}`;
    case 'Restarting.Draining':
      return `the gang starts again: ${context.restarting?.why}`;
    case 'Restarting.Drained':
      return `no pod of attempt ${context.attempt} is left; the next one begins at ${timeOf(context.deadlines[BACK_OFF]!)}`;
    case 'Restarting.BackingOff':
      return `${explainRestart(context)}; the next try is at ${timeOf(context.deadlines[BACK_OFF]!)}`;
    case 'Restarting.Replacing':
      return isBackOffOver(event) ? 'the back-off is over' : (context.restarting?.why ?? state);
    default:
      return state;
  }
}

/** What a job that is not running waits for, as a cause; undefined for one that runs. `entered`: why it is where it is. */
export function waitingCause(position: Position, entered: string): Cause | undefined {
  const { state, context } = position;
  if (context.outcome) return causeWhileEnding(position, entered);
  switch (state) {
    case 'Pending.Creating':
      return {
        reason: 'CreatingObjects',
        message: `objects of attempt ${context.attempt} are being created`,
      };
    case 'Pending.Scheduling':
      return {
        reason: waitsForGang(context) ? 'WaitingForGang' : 'Unschedulable',
        message: waitingFor(context),
      };
    case 'Suspended.Draining':
      return terminatingCause(context) ?? context.suspension;
    case 'Suspended.Resting':
      return context.suspension;
    case 'Pending.Queued':
      return { reason: 'WaitingForGang', message: queuedFor(context) };
    case 'Starting.Waiting':
      return { reason: 'ContainersNotReady', message: waitingFor(context) };
    case 'Starting.Launching':
      return { reason: 'CreatingObjects', message: `pods of ${namesOfHeld(context)} are being created` };
    case 'Pending.Scaling':
      return terminatingCause(context) ?? { reason: 'Scaling', message: entered };
    case 'Restarting.Holding':
      // Since it was entered, somebody may have said for how much longer.
      return { reason: 'HeldForDebugging', message: `${explainRestart(context)}; ${heldUntil(context)}` };
    case 'Restarting.Draining':
      return terminatingCause(context) ?? { reason: 'RestartingGang', message: entered };
    case 'Restarting.Drained':
      return { reason: 'RestartingGang', message: entered };
    case 'Restarting.Capturing':
    case 'Restarting.BackingOff':
      return { reason: 'ReplacingPods', message: entered };
    case 'Restarting.Replacing':
      return terminatingCause(context) ?? { reason: 'ReplacingPods', message: entered };
    default:
      return undefined;
  }
}

/** A job whose end waits says until when. */
function causeWhileEnding({ state, context }: Position, entered: string): Cause | undefined {
  const cause = context.outcome?.cause;
  if (!cause) return undefined;
  switch (state) {
    case 'Finishing.Holding':
      return { ...cause, message: `${cause.message}; ${heldUntil(context)}` };
    case 'Finishing.Checkpointing':
      return { ...cause, reason: 'CheckpointRequested', message: entered };
    default:
      return cause;
  }
}

/** Schedulers that say nothing place nobody either: until one member has a node, all of them wait for the gang. */
function waitsForGang(context: JobContext): boolean {
  const scheduled = context.digest?.gang?.scheduled;
  const hasPlaced = sumOver(context, ({ placed, ready, succeeded }) => placed + ready + succeeded) > 0;
  return scheduled === 'False' || (scheduled === 'Unknown' && !hasPlaced);
}

/** Pods that do not go, because their node is dead, or although their grace period is over. */
function terminatingCause({ digest, terminating = [] }: JobContext): Cause | undefined {
  // On a cordoned node they end as on any other.
  const dead = (digest?.endangered ?? []).filter(({ trouble }) => trouble !== 'Cordoned');
  const troubles = new Map(dead.map(({ uid, trouble }) => [uid, trouble]));
  const stuck = (digest?.leaving ?? []).filter(({ uid }) => troubles.has(uid));
  const [first = terminating[0], ...others] = stuck;
  if (!first) return undefined;
  const trouble = stuck[0] && troubles.get(stuck[0].uid);
  const where = first.node ? ` on node ${first.node}${trouble ? ` (${trouble})` : ''}` : '';
  const more = stuck[0] ? others.length : terminating.length - 1;
  const message = `waiting for ${first.pod}${where}${more > 0 ? `, and ${more} more,` : ''} to end`;
  return { reason: 'PodsTerminating', message, pod: first.pod, node: first.node };
}

const heldUntil = ({ deadlines }: JobContext) =>
  `the failed pods are kept until ${timeOf(deadlines[HOLD] ?? 0)}`;

const isBackOffOver = (event: JobEvent) => event.type === 'deadline' && event.name === BACK_OFF;

const sizesOf = ({ plan }: JobContext) =>
  plan.roles.map(({ name, replicas }) => `${replicas} ${name}`).join(', ');

function explainEnd({ state, context }: Position, event: JobEvent): string {
  const why = context.outcome?.cause?.message ?? 'every replica that decides the outcome has succeeded';
  switch (state) {
    case 'Finishing.Checkpointing':
      return `${why}; a checkpoint is asked for, until ${timeOf(context.deadlines[CHECKPOINT] ?? 0)}`;
    case 'Finishing.Capturing':
      return `${why}; evidence is being taken`;
    case 'Finishing.Holding':
      return `${why}; ${heldUntil(context)}`;
    case 'Finishing.CleaningUp':
      return event.type === 'stop' || event.type === 'release' ? event.cause.message : why;
    default:
      return explainCleanUp(event);
  }
}

function explainCleanUp(event: JobEvent): string {
  return event.type === 'effectFailed'
    ? `the clean-up failed, and is left to the sweep: ${event.cause.message}`
    : 'what the clean-up policy names is gone';
}

const explainRestart = (context: JobContext) => explainTroubles(context) ?? STRANDED;

const STRANDED =
  'the gang lacks members that will not come back, and cannot be complete again; what waits in it is placed by itself';

function waitingFor(context: JobContext): string {
  const { digest } = context;
  const members = countPresent(context);
  const placed = members - sumOver(context, ({ unplaced }) => unplaced);
  if (!digest || digest.revision.pods < context.barrier) return `waiting for ${members} pods`;
  const parts = [`${placed} of ${members} pods have a node, ${readyOf(context)} are ready`];
  const held = context.launched ? '' : namesOfHeld(context);
  if (held) parts.push(`${held} is created when they are`);
  if (context.plan.roster?.when === 'addressed' && context.roster === undefined) {
    parts.push('the list of their addresses is written when each has one');
  }
  const { scheduled, message, reason } = digest.gang ?? {};
  const said = message ?? reason;
  if (said && (scheduled === 'False' || placed < members)) parts.push(`gang: ${said}`);
  if (digest.waiting) {
    const { reason, message, pod, pods } = digest.waiting;
    parts.push(`${pods} wait with ${reason}${message ? ` (${pod}: ${message})` : ` (${pod})`}`);
  }
  return parts.join('; ');
}

function queuedFor(context: JobContext): string {
  const said = context.digest?.gang?.message;
  return `no pods yet: ${said ?? 'the gang scheduler has said nothing about the group so far'}`;
}

/** Pods that should exist by now. */
const countPresent = (context: JobContext) => {
  const roles = presentRoles(context);
  return context.plan.roles
    .filter(({ name }) => !roles || roles.includes(name))
    .reduce((sum, { replicas }) => sum + replicas, 0);
};

const namesOfHeld = (context: JobContext) =>
  heldRoles(context)
    .map(({ name }) => name)
    .join(', ');

const readyOf = (context: JobContext) => sumOver(context, ({ ready, succeeded }) => ready + succeeded);
