import type { PodFailure } from '../../contracts/digest.ts';
import type { JobRestartPolicy, PlannedRole } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { classOf, rulesFor } from '../failures/failure-class.ts';
import { describeInterruption } from '../failures/interruption.ts';
import { placeOfEnd } from '../failures/place-of-end.ts';
import { reasonText } from '../failures/reason-text.ts';
import { describeStillRunning } from '../failures/still-running.ts';
import { findVanished } from '../failures/vanished.ts';
import type { JobContext } from '../model/job-context.ts';
import { policyRule } from '../model/policy.ts';
import { countDone, digestOf, roleOfFailure } from '../model/role-counts.ts';
import { hasLeft } from '../nodes/leaving-nodes.ts';
import { reactionTo, scopeOfReaction } from './reactions.ts';

/** restartPolicy ExitCode restarts a pod from this exit code on: 128 + signal, or a program's choice. */
const FIRST_RETRYABLE_EXIT_CODE = 128;

type Verdict = 'replace' | 'ignore' | 'PodFailed' | 'PodEvicted' | 'PermanentExitCode' | 'FinalFailure';

/**
 * What each restart policy does with a failed pod. With OnFailure and Always the kubelet restarts containers in place,
 * so a failed pod was evicted or lost with its node. A pod without an exit code did not end by itself.
 */
const VERDICTS: Readonly<Record<JobRestartPolicy, (failure: PodFailure) => Verdict>> = {
  Always: () => 'replace',
  OnFailure: () => 'replace',
  Never: () => 'PodFailed',
  ExitCode: ({ exitCode }) =>
    exitCode === undefined || exitCode >= FIRST_RETRYABLE_EXIT_CODE ? 'replace' : 'PermanentExitCode',
};

/** Returns the first failure that its role's policy treats as final. */
export function findFinalFailure(context: JobContext): Cause | undefined {
  for (const failure of [...(context.digest?.failures ?? []), ...findVanished(context)]) {
    const role = roleOfFailure(context, failure);
    const verdict = role && verdictOn(context, role, failure);
    if (role && verdict && verdict !== 'replace' && verdict !== 'ignore') {
      const isByPolicy = verdict === 'FinalFailure';
      const rule = isByPolicy ? finalRule(context, failure) : ruleOf(context, role, failure);
      return causeOfPodFailure(failure, { reason: verdict, rule });
    }
  }
  return undefined;
}

/** Checks the policy for the failure's class, then the kind's own rule, then the restart policy. */
function verdictOn(context: JobContext, role: PlannedRole, failure: PodFailure): Verdict {
  const { onFailure, restartPolicy, replicas } = role;
  const { final, free, budget } = rulesFor(context, classOf(context, failure));
  if (final) return 'FinalFailure';
  if ((free || budget !== undefined) && onFailure?.do !== 'ignore') return 'replace';
  if (onFailure?.evictedFails && failure.reason === 'Evicted') return 'PodEvicted';
  const reaction = reactionTo(context, role, failure);
  if (reaction?.do === 'fail') return 'PodFailed';
  if (reaction) return reaction.do === 'replace' || scopeOfReaction(reaction) ? 'replace' : 'ignore';
  if (failure.interruptedBy) return 'replace';
  if (!onFailure) return VERDICTS[restartPolicy](failure);
  if (onFailure.do !== 'ignore') return onFailure.do === 'fail' ? 'PodFailed' : 'replace';
  const ended = countFailed(context, role) + countDone(context, role);
  return onFailure.lastFails && ended >= replicas ? 'PodFailed' : 'ignore';
}

const finalRule = (context: JobContext, failure: PodFailure) =>
  policyRule(`failures.classes.${classOf(context, failure)}.final`, true);

/** Counts failures that are not interruptions. */
export function countFailed(context: JobContext, role: PlannedRole): number {
  const interrupted = (context.digest?.failures ?? []).filter(
    (failure) => failure.interruptedBy && roleOfFailure(context, failure) === role,
  );
  return digestOf(context, role).failed - interrupted.length;
}

/** Returns the failed pods that their role's policy replaces. */
export function findReplaceable(context: JobContext): readonly PodFailure[] {
  return (context.digest?.failures ?? []).filter((failure) => isReplaceable(context, failure));
}

export function isReplaceable(context: JobContext, failure: PodFailure): boolean {
  const role = roleOfFailure(context, failure);
  return role !== undefined && verdictOn(context, role, failure) === 'replace';
}

/** Whether some failed pods are not replaced and the job continues without them. */
export const hasIgnored = (context: JobContext): boolean =>
  (context.digest?.failures ?? []).some((failure) => {
    const role = roleOfFailure(context, failure);
    return role !== undefined && verdictOn(context, role, failure) === 'ignore';
  });

/** Returns a cause from a failed pod. */
export function causeOfPodFailure(
  failure: PodFailure,
  { reason, rule }: Pick<Cause, 'reason' | 'rule'>,
): Cause {
  return { reason, rule, ...placeOfEnd(failure), message: `${describeFailure(failure)}; ${rule}` };
}

export function describeFailure(failure: PodFailure): string {
  const { pod, node, container, exitCode, signal, reason, message } = failure;
  if (failure.interruptedBy) return describeInterruption(failure);
  if (hasLeft(reason)) return `${pod} goes elsewhere: ${message}`;
  const where = node ? `${pod} on node ${node}` : pod;
  const how = exitCode === undefined ? 'left no exit code' : `exited with code ${exitCode}`;
  const by = signal ? `, signal ${signal}` : '';
  const others = failure.stillRunning ? `; ${describeStillRunning(failure.stillRunning)}` : '';
  return `${where}: ${container ? `container ${container} ` : ''}${how}${by}${reasonText({ reason, message })}${others}`;
}

/** Returns the rule of a role by which a failure ends the job, or pods start again. */
export const ruleOf = (context: JobContext, role: PlannedRole, failure: PodFailure): string => {
  const { name, restartPolicy, onFailure } = role;
  const reaction = reactionTo(context, role, failure);
  if (reaction?.do === 'fail' || reaction?.atMost !== undefined) return reaction.rule;
  return onFailure?.rule ?? `spec.${context.plan.replicaSpecs}.${name}.restartPolicy: ${restartPolicy}`;
};
