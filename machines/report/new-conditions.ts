import type { Condition } from '../../contracts/kubernetes.ts';
import { findRole } from '../../contracts/roles.ts';
import type { FinalPhase } from '../../contracts/status.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { Phase } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import type { Position } from '../chart/position.ts';
import type { JobContext } from '../model/job-context.ts';
import { countMissing, digestOf } from '../model/role-counts.ts';
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

interface FailureWords {
  readonly reason?: string;
  readonly message: string;
}

/** Returns the kind's own message for a failure if it has one, with the number and the role of the failed pods. */
function failureWords(context: JobContext): FailureWords {
  const cause = context.outcome?.cause;
  const words = cause && context.plan.messages.failed?.[cause.reason];
  if (!words) return { message: failureMessage(context) };
  return { ...words, message: filledIn(words.message, failedRole(context)) };
}

const filledIn = (message: string, { role, count }: { readonly role: string; readonly count: number }) =>
  message.replace('%n', String(count)).replace('%r', role);

/** Returns the role of the deciding pod, and how many of its pods have failed. */
function failedRole(context: JobContext) {
  const { digest, outcome } = context;
  const failed = digest?.failures.find(({ pod }) => pod === outcome?.cause?.pod);
  const role = failed?.role ?? '';
  return { role: titleOf(context, role), count: ownValue(digest?.roles ?? {}, role)?.failed ?? 1 };
}

/** Returns training-operator's message, if it has one. All kinds share it unless their plan has another. */
function failureMessage(context: JobContext): string {
  const { kind, name } = context.plan;
  const cause = context.outcome?.cause;
  const { role, count } = failedRole(context);
  switch (cause?.reason) {
    case 'PodFailed':
      return `${kind} ${name} is failed because ${count} ${role} replica(s) failed.`;
    case 'PermanentExitCode':
      return `job "${name}" is failing because "${role}" replica(s) failed.`;
    case 'BackoffLimitExceeded':
      return `Job ${name} has failed because it has reached the specified backoff limit`;
    case 'DeadlineExceeded':
      return `Job ${name} has failed because it was active longer than specified deadline`;
    default:
      return cause?.message ?? `${kind} ${name} is failed.`;
  }
}

function restartingMessage(context: JobContext): string {
  const { name, roles, successRoles, messages } = context.plan;
  const { trouble, restarting, amended } = context;
  if (trouble) return `job ${name} is restarting: ${trouble.message}`;
  if (amended && restarting) return `job ${name} is restarting: ${restarting.why}`;
  const broken = brokenRole(context);
  const isActive = (role: PlannedRole) => {
    const { scheduled, ready } = digestOf(context, role);
    return successRoles.includes(role.name) && scheduled + ready > 0;
  };
  const { message, whileActive } = messages.restarting ?? {};
  if (!message || (whileActive && !roles.some(isActive))) {
    return `job ${name} is restarting because ${broken.name} replica(s) failed.`;
  }
  const count = digestOf(context, broken).failed || countMissing(context, broken);
  return filledIn(message, { role: broken.name, count });
}

function brokenRole(context: JobContext): PlannedRole {
  const { digest, plan } = context;
  const [failure] = digest?.failures ?? [];
  const found = failure && findRole(plan.roles, failure.role);
  return found ?? plan.roles.find((role) => countMissing(context, role) > 0) ?? plan.roles[0]!;
}

const titleOf = ({ plan }: JobContext, role: string) => findRole(plan.roles, role)?.name ?? role;
