import type { Waiting } from '../../contracts/digest.ts';
import type { Cause, OtherCause } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import type { Position } from '../chart/position.ts';
import { canNeverFit, heldMeanwhile, waitsForGang } from '../gang/group-view.ts';
import { gateOf } from '../gate/gate.ts';
import type { JobContext } from '../model/job-context.ts';
import { explainRestart } from '../restart/renewal.ts';
import { explainRefusal } from '../stopping/refused-clean-up.ts';
import { terminatingCause } from '../stopping/terminating-pods.ts';
import { refusalCauses } from '../timeouts/refusals.ts';
import {
  countPresent,
  explainWait,
  heldUntil,
  isUnseen,
  namesOfHeld,
  notBackCauses,
  podsOf,
  podWaits,
  type UnexplainedState,
  waitingFor,
} from './explain.ts';
import { meaningOf } from './scheduler-words.ts';

/** How many causes are named besides the first. */
const MOST_OTHERS = 4;

/**
 * Returns the most important thing that a job waits for, with what else it waits for, or why it ends; undefined if it simply
 * runs. `entered`: why its state was entered.
 */
export function waitingCause(position: Position, entered: string): Cause | undefined {
  const { context } = position;
  if (context.outcome) return causeWhileEnding(position, entered);
  const causes = [...refusalCauses(context), ...causesInState(position, entered)];
  const [first, ...others] = causes.filter((cause) => cause !== undefined);
  if (!first || others.length === 0) return first;
  const also = others.slice(0, MOST_OTHERS);
  return { ...first, also: also.map(otherCause) };
}

const otherCause = ({ reason, message, pod, node }: Cause): OtherCause =>
  withoutUndefined({ reason, message, pod, node });

/** In order of importance. */
function causesInState({ state, context }: Position, entered: string): readonly (Cause | undefined)[] {
  switch (state) {
    case 'Pending.Creating':
      if (context.refusedEffects) return [];
      return [creating(`objects of attempt ${context.attempt} are being created`)];
    case 'Pending.Scheduling':
      if (isUnseen(context)) return [unseenCause(context)];
      return [
        neverFitsCause(context),
        placementCause(context),
        ...podWaits(context).slice(1).map(causeOfWait),
        ...notBackCauses(context),
      ];
    case 'Suspended.Draining':
      return [terminatingCause(context), context.suspension];
    case 'Suspended.Resting':
      return [context.suspension];
    case 'Pending.Queued':
      return gateOf(context)?.causes(context) ?? [];
    case 'Starting.Waiting':
      if (isUnseen(context)) return [unseenCause(context)];
      return startingCauses(context);
    case 'Starting.Launching':
      return [creating(`pods of ${namesOfHeld(context)} are being created`)];
    case 'Pending.Lifting':
      return [{ reason: 'WaitingForGang', message: entered }];
    case 'Pending.RollingBack':
      return [context.rollBack, terminatingCause(context)];
    case 'Pending.RolledBack':
      return [
        context.rollBack && { ...context.rollBack, message: `${context.rollBack.message}; ${entered}` },
      ];
    case 'Pending.Scaling':
      return [terminatingCause(context), { reason: 'Scaling', message: entered }];
    case 'Restarting.Holding':
      // The hold may have been extended since the state was entered.
      return [{ reason: 'HeldForDebugging', message: `${explainRestart(context)}; ${heldUntil(context)}` }];
    case 'Restarting.Checkpointing':
      return [
        context.departure
          ? { reason: context.departure.reason, message: entered }
          : restarting(context, entered),
      ];
    case 'Restarting.Draining':
      return [terminatingCause(context), restarting(context, entered)];
    case 'Restarting.Drained':
      return [restarting(context, entered)];
    case 'Restarting.Capturing':
    case 'Restarting.BackingOff':
      return [{ reason: 'ReplacingPods', message: entered }];
    case 'Restarting.Replacing':
      return [terminatingCause(context), { reason: 'ReplacingPods', message: entered }];
    case 'Running':
      return [];
    default:
      state satisfies UnexplainedState;
      return [];
  }
}

const restarting = ({ eviction }: JobContext, message: string): Cause => ({
  reason: eviction?.cause.reason ?? 'RestartingGang',
  message,
});

const creating = (message: string): Cause => ({ reason: 'CreatingObjects', message });

/** Of a gated gang, as the leading watcher has found. */
const neverFitsCause = (context: JobContext): Cause | undefined => {
  const { message } = context.digest?.gang ?? {};
  return canNeverFit(context) && message ? { reason: 'NeverFits', message } : undefined;
};

function placementCause(context: JobContext): Cause {
  const [reason, message] = waitsForGang(context)
    ? (['WaitingForGang', `${waitingFor(context)}; ${heldMeanwhile(context)}`] as const)
    : (['Unschedulable', waitingFor(context)] as const);
  return { reason: isTooLarge(context) ? 'NeverFits' : reason, message };
}

/** A pod requests more than any node has. */
const isTooLarge = ({ digest }: JobContext): boolean =>
  digest?.shortages?.some(({ role }) => role !== undefined) === true;

/** Pods that ran before and are not back explain more than those that wait. */
function startingCauses(context: JobContext): readonly Cause[] {
  const notBack = notBackCauses(context);
  const waits = podWaits(context);
  if (notBack.length > 0) return [...notBack, ...waits.map(causeOfWait)];
  const first: Cause = {
    reason: 'ContainersNotReady',
    message: waitingFor(context),
    ...(waits[0] ? placeOfWait(waits[0]) : {}),
  };
  return [first, ...waits.slice(1).map(causeOfWait)];
}

const causeOfWait = (wait: Waiting): Cause => ({
  reason: wait.hasNode ? 'ContainersNotReady' : 'Unschedulable',
  message: [meaningOf(`${wait.reason} ${wait.message}`), explainWait(wait)].filter(Boolean).join('; '),
  ...placeOfWait(wait),
});

const placeOfWait = ({ pod, reason }: Waiting): Partial<Cause> => ({ pod, podReason: reason });

const unseenCause = (context: JobContext): Cause => ({
  reason: 'AwaitingWatcher',
  message: `no watcher has reported the ${podsOf(countPresent(context))} yet`,
});

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
