import { type EndMeaning, meaningOfEnd } from './ends.ts';
import { REASONS, type ReasonEntry } from './reasons.ts';
import type { Cause } from './types.ts';
import { remedyOfWait } from './waits.ts';

/**
 * Returns what helps with a cause, with its names filled in: each command can be typed as it stands. `job`: how a command
 * line names the job (`jobArguments`).
 */
export function remedyOfCause(cause: Cause, job: string): string {
  const entry: ReasonEntry = REASONS[cause.reason];
  const names = { ...cause, job };
  if (!entry.look)
    return filledIn(remedyOfWait(cause.podReason) ?? entry.remedy, names) + (lacksGpus(cause) ? PRETEND : '');
  const { says, isUnlogged, isCertain } = meaningOfEnd(cause) ?? (cause.pod ? STALLED : unknownEnd(names));
  const parts = [
    says,
    isUnlogged ? '' : filledIn(LOOKS[entry.look], names),
    isCertain ? '' : filledIn(entry.remedy, names),
  ];
  return parts.filter(Boolean).join(' ');
}

/** Whether GPUs are what keeps pods from nodes, in words of this engine or of a scheduler. */
const lacksGpus = ({ reason, message }: Cause): boolean =>
  (reason === 'WaitingForGang' || reason === 'Unschedulable') &&
  /(needs \d+|Insufficient) [\w.-]+\/gpu\b/.test(message);

const PRETEND = ' In a sandbox, `signalbox sandbox up --gpus 8` pretends GPUs.';

/** A pod that has not ended itself: its evidence has what it wrote last. */
const STALLED: EndMeaning = { says: '' };

const unknownEnd = (names: Names): EndMeaning => ({
  says: filledIn('`signalbox history NAME` says what became of the pods.', names),
  isUnlogged: true,
});

/** Returns what helps with a reason, whatever the job: NAME, POD, CONTAINER and NODE stand for what a cause names. */
export const generalRemedy = ({ look, remedy }: ReasonEntry): string =>
  look ? `${LOOKS[look]} ${remedy}` : remedy;

/** Where the last lines of a container are that has ended. */
const LOOKS: Readonly<Record<NonNullable<ReasonEntry['look']>, string>> = {
  evidence: '`signalbox evidence NAME --pod POD` has its last lines.',
  previous: '`signalbox logs NAME --pod POD -c CONTAINER --previous` prints the run that ended.',
};

type Names = Pick<Cause, 'pod' | 'container' | 'node'> & { readonly job: string };

/** Leaves out what is not known: each command works without it. */
export const filledIn = (text: string, { pod, container, node, job }: Names): string =>
  text
    .replaceAll(' --pod POD', pod === undefined ? '' : ` --pod ${pod}`)
    .replaceAll(' -c CONTAINER', container === undefined ? '' : ` -c ${container}`)
    .replaceAll('node NODE', node === undefined ? 'the node' : `node ${node}`)
    .replaceAll(/\bNAME\b/g, () => job);
