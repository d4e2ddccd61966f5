import type { Effect } from '../../machines/model/effects.ts';
import type { JobContext } from '../../machines/model/job-context.ts';
import { jobPolicy } from '../../machines/model/policy.ts';
import type { PolicySwitch } from './policy-switch.ts';

/** What no recording says of a job with another policy. Each returns why, or undefined. */

/** Kubelets restart containers as the pods say, and that follows from the policy's ladder for some roles. */
export function otherPods({ policy }: PolicySwitch, context: JobContext): string | undefined {
  const { roles } = context.plan;
  const inPlace = ({ restart }: PolicySwitch['policy']) =>
    restart.ladder.some(({ scope }) => scope === 'container');
  const own = inPlace(jobPolicy(context));
  if (own === inPlace(policy) || !roles.some(({ restartPolicy }) => restartPolicy === 'OnFailure'))
    return undefined;
  return own
    ? 'the pods would have been made so that kubelets restart no containers in them'
    : 'the pods would have been made so that kubelets restart their containers';
}

/** The signal that a pod gets when it is deleted is part of the pod. */
export function otherSignal(
  { policy }: PolicySwitch,
  context: JobContext,
  effects: readonly Effect[],
): string | undefined {
  const own = jobPolicy(context).checkpoint?.signal;
  if (own === policy.checkpoint?.signal || !effects.some(({ type }) => DELETIONS.has(type))) return undefined;
  return `the deleted pods would have received ${policy.checkpoint?.signal ?? 'SIGTERM'} instead of ${own ?? 'SIGTERM'}`;
}

const DELETIONS: ReadonlySet<Effect['type']> = new Set([
  'drain',
  'rollBack',
  'restorePods',
  'scale',
  'suspend',
]);

/** The digests have only what the recorded policy made the watcher look for. */
export function readsOtherProgress({ policy }: PolicySwitch, context: JobContext): boolean {
  const own = jobPolicy(context).progress;
  return own?.log !== policy.progress?.log || own?.annotation !== policy.progress?.annotation;
}

export const OTHER_PROGRESS =
  'progress was not searched for as this policy does, so whether the job stalled is unknown';
