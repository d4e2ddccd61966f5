import { totalReplicas } from '../../contracts/roles.ts';
import type { Cause } from '../../contracts/status.ts';
import { describeStuckPods, HOW_THEY_GO } from '../../contracts/stuck-pod.ts';
import type { Position } from '../chart/position.ts';
import { crashCause } from '../failures/crash.ts';
import { heldMeanwhile, unreadGroups, waitsForGang } from '../gang/group-view.ts';
import { laterRoles, presentRoles } from '../gang/launch-order.ts';
import { BACK_OFF, type JobContext, REFUSED } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { countMembers, sumOver } from '../model/role-counts.ts';
import { timeOf } from '../model/time.ts';
import { troubledNodesCause } from '../nodes/troubled-nodes.ts';
import { explainRestart } from '../restart/renewal.ts';
import { checkpointEndsAt, isStopWithoutCheckpoint } from '../stopping/checkpoint.ts';
import { explainSignal } from '../stopping/checkpoint-result.ts';
import { holdEndsAt } from '../stopping/hold.ts';
import { explainRefusal } from '../stopping/refused-clean-up.ts';
import { terminatingCause } from '../stopping/terminating-pods.ts';
import { meaningOf } from './scheduler-words.ts';

/** Explains for the timeline why a state was entered: also who requested it, and which evidence could not be collected. */
export function explain(position: Position, event: JobEvent): string {
  const why = explainState(position, event);
  if (event.type === 'amend') return `${event.cause.message}; ${why}`;
  const untaken = whyUntaken(position, event);
  return untaken ? `${why}; evidence could not be collected: ${untaken}` : why;
}

/** Returns why evidence could not be collected at all, or not in time. */
function whyUntaken({ context }: Position, event: JobEvent): string | undefined {
  if (event.type === 'effectFailed' && event.effect === 'capture') return event.cause.message;
  const isOverdue = event.type === 'deadline' && event.name === REFUSED;
  return isOverdue ? context.refusedEffects?.capture?.cause.message : undefined;
}

function explainState(position: Position, event: JobEvent): string {
  const { state, context } = position;
  if (context.outcome) return explainEnd(position, event);
  if (event.type === 'resume' || event.type === 'retryNow' || event.type === 'release') {
    return event.cause.message;
  }
  const members = countMembers(context);
  switch (state) {
    case 'Suspended.Draining':
      return context.suspension?.message ?? state;
    case 'Suspended.Resting':
      return 'no pods remain';
    case 'Pending.Scheduling':
      return event.type === 'effectDone'
        ? `objects of attempt ${context.attempt} exist; ${waitingFor(context)}`
        : waitingFor(context);
    case 'Pending.Queued':
      return queuedFor(context);
    case 'Pending.Creating':
      if (context.queued) return context.digest?.gang?.message ?? 'the scheduler has admitted the group';
      return `attempt ${context.attempt - 1} is gone; attempt ${context.attempt} begins`;
    case 'Pending.Scaling':
      return `role sizes change: ${sizesOf(context)}`;
    case 'Starting.Waiting':
      return [
        `every pod has a node; ${readyOf(context)} of ${members} are ready`,
        notBackCause(context)?.message,
      ]
        .filter(Boolean)
        .join('; ');
    case 'Starting.Launching':
      return `all ${readyOf(context)} pods that ${namesOfHeld(context)} waited for are ready`;
    case 'Running':
      return members === 1 ? 'the pod is ready' : `all ${members} pods are ready`;
    case 'Restarting.Capturing':
      return `${explainRestart(context)}; evidence is being collected`;
    case 'Restarting.Holding':
      return `${explainRestart(context)}; ${heldUntil(context)}`;
    case 'Restarting.Draining':
      return `the gang restarts: ${context.restarting?.why}`;
    case 'Restarting.Drained':
      return `all pods of attempt ${context.attempt} are gone; the next attempt begins at ${timeOf(context.backsOffUntil!)}`;
    case 'Restarting.BackingOff':
      return `${explainRestart(context)}; the next replacement is at ${timeOf(context.backsOffUntil!)}`;
    case 'Restarting.Replacing':
      return isBackOffOver(event) ? 'the back-off is over' : (context.restarting?.why ?? state);
    default:
      return state;
  }
}

/** Returns what a job that is not running waits for; undefined if it runs. `entered`: why the state was entered. */
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
      return (
        unseenCause(context) ??
        (waitsForGang(context)
          ? { reason: 'WaitingForGang', message: `${waitingFor(context)}; ${heldMeanwhile(context)}` }
          : { reason: 'Unschedulable', message: waitingFor(context) })
      );
    case 'Suspended.Draining':
      return terminatingCause(context) ?? context.suspension;
    case 'Suspended.Resting':
      return context.suspension;
    case 'Pending.Queued':
      return { reason: 'WaitingForGang', message: queuedFor(context) };
    case 'Starting.Waiting':
      return (
        unseenCause(context) ??
        notBackCause(context) ?? { reason: 'ContainersNotReady', message: waitingFor(context) }
      );
    case 'Starting.Launching':
      return { reason: 'CreatingObjects', message: `pods of ${namesOfHeld(context)} are being created` };
    case 'Pending.Scaling':
      return terminatingCause(context) ?? { reason: 'Scaling', message: entered };
    case 'Restarting.Holding':
      // The hold may have been extended since the state was entered.
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

/** Returns why pods that ran before are not ready. */
const notBackCause = (context: JobContext) => troubledNodesCause(context) ?? crashCause(context);

/** If the end of the job waits, adds until when. */
function causeWhileEnding({ state, context }: Position, entered: string): Cause | undefined {
  if (state === 'Finishing.CleaningUp') return causeWhileCleaningUp(context);
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

/** Adds what delays the clean-up, if anything does. */
function causeWhileCleaningUp(context: JobContext): Cause | undefined {
  const cause = context.outcome?.cause;
  const passing = context.refusedEffects?.cleanUp?.cause.message;
  const why = explainRefusal(context) ?? passing ?? terminatingCause(context)?.message;
  if (!why) return cause;
  return cause ? { ...cause, message: `${cause.message}; ${why}` } : { reason: 'CleaningUp', message: why };
}

/** What the scheduler and the kubelets do is unknown until a watcher reports it. */
const unseenCause = (context: JobContext): Cause | undefined =>
  isUnseen(context)
    ? {
        reason: 'AwaitingWatcher',
        message: `no watcher has reported the ${podsOf(countPresent(context))} yet`,
      }
    : undefined;

const isUnseen = ({ digest, minResourceVersion }: JobContext) =>
  !digest || digest.resourceVersions.pods < minResourceVersion;

const heldUntil = (context: JobContext) =>
  `the failed pods are kept until ${timeOf(holdEndsAt(context) ?? 0)}`;

const isBackOffOver = (event: JobEvent) => event.type === 'deadline' && event.name === BACK_OFF;

const sizesOf = ({ plan }: JobContext) =>
  plan.roles.map(({ name, replicas }) => `${replicas} ${name}`).join(', ');

function explainEnd({ state, context }: Position, event: JobEvent): string {
  const why = context.outcome?.cause?.message ?? 'every replica that decides the outcome has succeeded';
  switch (state) {
    case 'Finishing.Checkpointing':
      return `${why}; waiting for a checkpoint until ${timeOf(checkpointEndsAt(context) ?? 0)}`;
    case 'Finishing.Capturing':
      return `${why}; evidence is being collected`;
    case 'Finishing.Holding':
      return `${why}; ${heldUntil(context)}`;
    case 'Finishing.CleaningUp':
      if (event.type === 'release' || isStopWithoutCheckpoint(event)) return event.cause.message;
      return `${why}${explainSignal(context)}`;
    default:
      return explainCleanUp(event);
  }
}

function explainCleanUp(event: JobEvent): string {
  const { stuckPods = [] } = event.type === 'effectDone' ? event : {};
  if (stuckPods.length === 0) return 'clean-up finished';
  return `the job no longer waits: ${describeStuckPods(stuckPods)}; ${HOW_THEY_GO}`;
}

function waitingFor(context: JobContext): string {
  const { digest } = context;
  const members = countPresent(context);
  const placed = members - sumOver(context, ({ unscheduled }) => unscheduled);
  if (!digest || isUnseen(context)) return `waiting for ${members === 1 ? 'a pod' : `${members} pods`}`;
  const words = [digest.gang?.message, digest.waiting?.reason, digest.waiting?.message].join(' ');
  const meaning = placed < members || digest.waiting ? meaningOf(words, digest.shortages) : undefined;
  const parts = [
    ...(meaning ? [meaning] : []),
    `${placed} of ${members} pods have a node, ${readyOf(context)} are ready`,
  ];
  const held = context.launched ? '' : namesOfHeld(context);
  if (held) parts.push(`${held} is created once they are`);
  if (context.plan.hostList?.when === 'addressed' && context.publishedHostList === undefined) {
    parts.push('the list of their addresses is published once every pod has one');
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
  const said = context.digest?.gang?.message ?? unreadGroups(context);
  return `no pods yet: ${said ?? 'the gang scheduler has not reported on the group yet'}`;
}

const podsOf = (count: number) => (count === 1 ? 'pod' : `${count} pods`);

/** Counts the pods that should exist by now. */
const countPresent = (context: JobContext) => totalReplicas(context.plan.roles, presentRoles(context));

const namesOfHeld = (context: JobContext) =>
  laterRoles(context)
    .map(({ name }) => name)
    .join(', ');

const readyOf = (context: JobContext) => sumOver(context, ({ ready, succeeded }) => ready + succeeded);
