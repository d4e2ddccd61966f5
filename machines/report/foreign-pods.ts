import { LABELS } from '../../contracts/labels.ts';
import type { JobContext } from '../model/job-context.ts';

/** Warns about foreign pods: they have the labels and owner of the job's pods, but no replica's name. */
export function foreignPodWarnings({ digest }: JobContext): readonly string[] {
  if (!digest?.strangers) return [];
  const { pod, pods } = digest.strangers;
  const which = pods > 1 ? `pods ${pod} and ${pods - 1} more have` : `pod ${pod} has`;
  const remedy = `Delete ${pods > 1 ? 'them' : 'it'}, or remove the label ${LABELS.job} and the owner reference`;
  return [
    `${which} the labels and the owner of a pod of this job, but a different name: not counted. ${remedy}`,
  ];
}
