import type { Cause } from '../contracts/status.ts';
import { BACK_OFF, type JobContext } from './job-context.ts';
import type { JobEvent } from './job-events.ts';
import type { Position } from './job-record.ts';
import { heldRoles, presentRoles } from './launch-order.ts';
import { describeFailure } from './restart-policy.ts';
import { countMembers, countMissing, sumOver } from './role-counts.ts';
import { timeOf } from './time.ts';

/** Why a state was entered, in a sentence for the timeline. */
export function explain({ state, context }: Position, event: JobEvent): string {
  if (context.outcome) return explainEnd({ state, context }, event);
  if (event.type === 'resume') return event.cause.message;
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
      return context.digest?.gang?.message ?? 'the scheduler has let the group in';
    case 'Starting.Waiting':
      return `every pod has a node; ${readyOf(context)} of ${members} are ready`;
    case 'Starting.Launching':
      return `all ${readyOf(context)} pods are ready that ${namesOfHeld(context)} waited for`;
    case 'Running':
      return `all ${members} pods are ready`;
    case 'Restarting.BackingOff':
      return `${explainRestart(context)}; the next try is at ${timeOf(context.deadlines[BACK_OFF]!)}`;
    case 'Restarting.Replacing':
      return event.type === 'deadline' ? 'the back-off is over' : explainRestart(context);
    default:
      return state;
  }
}

/** What a job that is not running waits for, as a cause; undefined for one that runs. `entered`: why it is where it is. */
export function waitingCause({ state, context }: Position, entered: string): Cause | undefined {
  if (context.outcome) return context.outcome.cause;
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
    case 'Suspended.Resting':
      return context.suspension;
    case 'Pending.Queued':
      return { reason: 'WaitingForGang', message: queuedFor(context) };
    case 'Starting.Waiting':
      return { reason: 'ContainersNotReady', message: waitingFor(context) };
    case 'Starting.Launching':
      return { reason: 'CreatingObjects', message: `pods of ${namesOfHeld(context)} are being created` };
    case 'Restarting.BackingOff':
    case 'Restarting.Replacing':
      return { reason: 'ReplacingPods', message: entered };
    default:
      return undefined;
  }
}

/** Schedulers that say nothing place nobody either: until one member has a node, all of them wait for the gang. */
function waitsForGang(context: JobContext): boolean {
  const scheduled = context.digest?.gang?.scheduled;
  const hasPlaced = sumOver(context, ({ placed, ready, succeeded }) => placed + ready + succeeded) > 0;
  return scheduled === 'False' || (scheduled === 'Unknown' && !hasPlaced);
}

function explainEnd({ state, context }: Position, event: JobEvent): string {
  if (state === 'Finishing.CleaningUp') {
    return context.outcome?.cause?.message ?? 'every replica that decides the outcome has succeeded';
  }
  return event.type === 'effectFailed'
    ? `the clean-up failed, and is left to the sweep: ${event.cause.message}`
    : 'what the clean-up policy names is gone';
}

function explainRestart(context: JobContext): string {
  const failures = context.digest?.failures ?? [];
  const others = failures.length > 1 ? `, and ${failures.length - 1} more` : '';
  if (failures[0]) return `${describeFailure(failures[0])}${others}`;
  return context.plan.roles.some((role) => countMissing(context, role) > 0)
    ? 'pods are gone without having finished'
    : 'members have succeeded, and their gang cannot be complete again; what waits in it is placed by itself';
}

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
