import { LABELS } from '../../contracts/labels.ts';
import type { JobContext } from '../model/job-context.ts';

/** What people are told of pods that pass for the job's own, and are not. */
export function foreignPodWarnings({ digest }: JobContext): readonly string[] {
  if (!digest?.strangers) return [];
  const { pod, pods } = digest.strangers;
  const which = pods > 1 ? `pods ${pod} and ${pods - 1} more have` : `pod ${pod} has`;
  const remedy = `Delete ${pods > 1 ? 'them' : 'it'}, or remove the label ${LABELS.job} and the owner reference`;
  return [`${which} the labels and the owner of a pod of this job, but another name: not counted. ${remedy}`];
}
