import type { Waiting } from '../../contracts/digest.ts';
import { END_WORDS } from '../../contracts/end-words.ts';
import { totalReplicas } from '../../contracts/roles.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import { describeStuckPods, HOW_THEY_GO } from '../../contracts/stuck-pod.ts';
import type { Cause } from '../../contracts/types.ts';
import { timeOf } from '../../language/time.ts';
import type { Position } from '../chart/position.ts';
import { crashCause } from '../failures/crash.ts';
import { heldRoles, presentRoles } from '../gang/launch-order.ts';
import { gateOf } from '../gate/gate.ts';
import { BACK_OFF, type JobContext, REFUSED } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { countMembers, sumOver } from '../model/role-counts.ts';
import { troubledNodesCause } from '../nodes/troubled-nodes.ts';
import { explainRestart } from '../restart/renewal.ts';
import { explainTaken } from '../spares/take-places.ts';
import { checkpointEndsAt, isStopWithoutCheckpoint } from '../stopping/checkpoint.ts';
import { explainSignal } from '../stopping/checkpoint-result.ts';
import { holdEndsAt } from '../stopping/hold.ts';
import { meaningOf } from './scheduler-words.ts';

/**
 * Explains why a state was entered: also who requested it, and which evidence could not be collected. `before`: the context
 * before the event.
 */
export function explain(position: Position, event: JobEvent, before: JobContext): string {
  const why = explainState(position, event, before);
  if (event.type === 'amend') return `${event.cause.message}; ${why}`;
  const untaken = whyUntaken(before, event);
  return untaken ? `${why}; evidence could not be collected: ${untaken}` : why;
}

/** Returns why evidence could not be collected at all, or not in time. */
function whyUntaken({ refusedEffects }: JobContext, event: JobEvent): string | undefined {
  if (event.type === 'effectFailed' && event.effect === 'capture') return event.cause.message;
  const isOverdue = event.type === 'deadline' && event.name === REFUSED;
  return isOverdue ? refusedEffects?.capture?.cause.message : undefined;
}

/** States that are left at once, and those of a job with an outcome, which is explained instead. */
export type UnexplainedState =
  | 'Pending.Accepted'
  | 'Restarting.Deciding'
  | 'Restarting.Evicted'
  | `Finishing.${string}`
  | FinalPhase;

function explainState(position: Position, event: JobEvent, before: JobContext): string {
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
      return gateOf(context)?.causes(context)[0]?.message ?? state;
    case 'Pending.Creating':
      return (
        gateOf(context)?.explainOpen(context) ??
        `attempt ${context.attempt - 1} is gone; attempt ${context.attempt} begins`
      );
    case 'Pending.Lifting':
      return context.lift?.onQuota
        ? 'there is no room for the gang; the gates of its pods are being lifted all the same, so that nodes are added'
        : 'there is room for the whole gang; the gates of its pods are being lifted';
    case 'Pending.RollingBack':
      return context.rollBack?.message ?? state;
    case 'Pending.RolledBack':
      return `the pods of attempt ${context.attempt} are gone; they are made anew at ${timeOf(context.backsOffUntil!)}`;
    case 'Pending.Scaling':
      return `role sizes change: ${sizesOf(context)}`;
    case 'Starting.Waiting':
      return [
        `every pod has a node; ${readyOf(context)} of ${members} are ready`,
        notBackCauses(context)[0]?.message,
      ]
        .filter(Boolean)
        .join('; ');
    case 'Starting.Launching':
      return `all ${readyOf(context)} pods that ${namesOfHeld(context)} waited for are ready`;
    case 'Running':
      return [
        members === 1 ? 'the pod is ready' : `all ${members} pods are ready`,
        explainTaken(before, event.at),
      ]
        .filter(Boolean)
        .join('; ');
    case 'Restarting.Capturing':
      return `${explainRestart(context)}; ${END_WORDS.collecting}`;
    case 'Restarting.Holding':
      return `${explainRestart(context)}; ${heldUntil(context)}`;
    case 'Restarting.Checkpointing':
      return `${context.departure?.why ?? context.restarting?.why}; waiting for a checkpoint until ${timeOf(checkpointEndsAt(context) ?? 0)}`;
    case 'Restarting.Draining':
      return `the gang restarts: ${context.restarting?.why}`;
    case 'Restarting.Drained':
      return `all pods of attempt ${context.attempt} are gone; the next attempt begins at ${timeOf(context.backsOffUntil!)}`;
    case 'Restarting.BackingOff':
      return `${explainRestart(context)}; the next replacement is at ${timeOf(context.backsOffUntil!)}`;
    case 'Restarting.Replacing':
      return isBackOffOver(event) ? 'the back-off is over' : (context.restarting?.why ?? state);
    default:
      return state satisfies UnexplainedState;
  }
}

/** Returns why pods that ran before are not ready. */
export const notBackCauses = (context: JobContext): Cause[] =>
  [troubledNodesCause(context), crashCause(context)].filter((cause) => cause !== undefined);

/** What the scheduler and the kubelets do is unknown until a watcher reports it. */
export const isUnseen = ({ digest, minResourceVersion }: JobContext) =>
  !digest || digest.resourceVersions.pods < minResourceVersion;

export const heldUntil = (context: JobContext) =>
  `the failed pods are kept until ${timeOf(holdEndsAt(context) ?? 0)}`;

const isBackOffOver = (event: JobEvent) => event.type === 'deadline' && event.name === BACK_OFF;

const sizesOf = ({ plan }: JobContext) =>
  plan.roles.map(({ name, replicas }) => `${replicas} ${name}`).join(', ');

function explainEnd({ state, context }: Position, event: JobEvent): string {
  const why = context.outcome?.cause?.message ?? END_WORDS.succeeded;
  switch (state) {
    case 'Finishing.Checkpointing':
      return `${why}; waiting for a checkpoint until ${timeOf(checkpointEndsAt(context) ?? 0)}`;
    case 'Finishing.Capturing':
      return `${why}; ${END_WORDS.collecting}`;
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
  if (stuckPods.length === 0) return END_WORDS.cleanUpFinished;
  return `the job no longer waits: ${describeStuckPods(stuckPods)}; ${HOW_THEY_GO}`;
}

/** Says how far the pods are, and why the first of them wait. */
export function waitingFor(context: JobContext): string {
  const { digest } = context;
  const members = countPresent(context);
  const placed = members - sumOver(context, ({ unscheduled }) => unscheduled);
  if (!digest || isUnseen(context)) return `waiting for ${members === 1 ? 'a pod' : `${members} pods`}`;
  const [first] = podWaits(context);
  const words = [digest.gang?.message, first?.reason, first?.message].join(' ');
  const meaning = placed < members || first ? meaningOf(words, digest.shortages) : undefined;
  const parts = [
    ...(meaning ? [meaning] : []),
    `${placed} of ${members} pods have a node, ${readyOf(context)} are ready`,
  ];
  const held = namesOfHeld(context);
  if (held) parts.push(`${held} is created once they are`);
  if (context.plan.hostList?.when === 'addressed' && context.publishedHostList === undefined) {
    parts.push('the list of their addresses is published once every pod has one');
  }
  const { scheduled, message, reason } = digest.gang ?? {};
  const said = message ?? reason;
  if (said && (scheduled === 'False' || placed < members)) parts.push(`gang: ${said}`);
  if (first) parts.push(explainWait(first));
  return parts.join('; ');
}

/** Returns why pods wait, in order of rank: those without a node first. */
export const podWaits = ({ digest }: JobContext): readonly Waiting[] =>
  (digest?.waiting ?? []).toSorted((a, b) => Number(a.hasNode) - Number(b.hasNode));

export const explainWait = ({ reason, message, pod, pods }: Waiting): string =>
  `${pods} wait with ${reason}${message ? ` (${pod}: ${message})` : ` (${pod})`}`;

export const podsOf = (count: number) => (count === 1 ? 'pod' : `${count} pods`);

/** Counts the pods that should exist by now. */
export const countPresent = (context: JobContext) => totalReplicas(context.plan.roles, presentRoles(context));

export const namesOfHeld = (context: JobContext) =>
  heldRoles(context)
    .map(({ name }) => name)
    .join(', ');

const readyOf = (context: JobContext) => sumOver(context, ({ ready, succeeded }) => ready + succeeded);
