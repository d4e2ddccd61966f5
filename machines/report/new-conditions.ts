import type { Condition } from '../../contracts/kubernetes.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import type { Position } from '../chart/position.ts';
import type { JobContext } from '../model/job-context.ts';
import { failureWords, restartingMessage } from './condition-messages.ts';
import type { NewCondition } from './conditions.ts';

export function createdCondition({ plan: { kind, name, messages } }: JobContext): NewCondition {
  const message = messages.created ?? `${kind} ${name} is created.`;
  return { type: 'Created', status: 'True', reason: `${kind}Created`, message };
}

/** Returns the conditions that become true in a phase, with the reasons and messages of Kubeflow. */
export function newConditions(position: Position, phase: Phase, known: readonly Condition[]): NewCondition[] {
  const { state, context } = position;
  const { kind, messages } = context.plan;
  switch (phase) {
    case 'Running':
      return [{ type: 'Running', status: 'True', reason: `${kind}Running`, message: messages.running }];
    case 'Restarting': {
      const message = restartingMessage(context);
      return [{ type: 'Restarting', status: 'True', reason: `${kind}Restarting`, message }];
    }
    case 'Suspended':
      return state === 'Suspended.Draining' ? suspendedConditions(context, known) : [];
    case 'Completed':
    case 'Failed':
    case 'Stopped':
      return isDecided(position) ? [finalCondition(context, phase)] : [];
    default:
      return [];
  }
}

/** A job that is being stopped still runs while it writes its checkpoint. */
const isDecided = ({ state, tags }: Position) => tags.has('ending') && state !== 'Finishing.Checkpointing';

/**
 * mpi-operator always sets Running to False, after Suspended; training-operator only if the job ran, before Suspended.
 */
function suspendedConditions({ plan }: JobContext, known: readonly Condition[]): NewCondition[] {
  const { kind, name, messages } = plan;
  const message = messages.suspended ?? `${kind} ${name} is suspended.`;
  const reason = `${kind}Suspended`;
  const suspended = { type: 'Suspended', status: 'True', reason, message } as const;
  const notRunning = {
    type: 'Running',
    status: 'False',
    reason,
    message: messages.notRunning ?? message,
  } as const;
  if (messages.notRunning) return [suspended, notRunning];
  const ran = known.some(({ type, status }) => type === 'Running' && status === 'True');
  return ran ? [notRunning, suspended] : [suspended];
}

export function resumedCondition({ plan: { kind, name, messages } }: JobContext): NewCondition {
  const message = messages.resumed ?? `${kind} ${name} is resumed.`;
  return { type: 'Suspended', status: 'False', reason: `${kind}Resumed`, message };
}

function finalCondition(context: JobContext, phase: FinalPhase): NewCondition {
  const { kind, name, messages } = context.plan;
  if (phase === 'Completed') {
    return { type: 'Succeeded', status: 'True', reason: `${kind}Succeeded`, message: messages.succeeded };
  }
  if (phase === 'Stopped') {
    return {
      type: 'Running',
      status: 'False',
      reason: `${kind}Stopped`,
      message: `${kind} ${name} is stopped.`,
    };
  }
  const { reason = `${kind}Failed`, message } = failureWords(context);
  return { type: 'Failed', status: 'True', reason, message };
}
