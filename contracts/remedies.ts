import { type EndMeaning, isCertainEnd, meaningOfEnd } from './ends.ts';
import { namespaceOfArguments } from './job-arguments.ts';
import { REASONS, type ReasonEntry } from './reasons.ts';
import { remedyOfRefusal } from './refusal-remedies.ts';
import { signatureOf } from './signatures.ts';
import type { Cause } from './types.ts';
import { remedyOfWait } from './waits.ts';

/**
 * Returns what helps with a cause, with its names filled in: each command can be typed as it stands. `job`: how a command
 * line names the job (`jobArguments`). `inHistory`: the reader has its ledger before them.
 */
export function remedyOfCause(
  cause: Cause,
  job: string,
  { inHistory = false }: { readonly inHistory?: boolean } = {},
): string {
  const entry: ReasonEntry = REASONS[cause.reason];
  const names = { ...cause, job };
  const remedy = inHistory
    ? entry.remedy.replace('`signalbox history NAME`', 'the entries above')
    : entry.remedy;
  const ofRefusal =
    SAID_BY_SERVER.has(cause.reason) && remedyOfRefusal(cause.message, namespaceOfArguments(job));
  if (ofRefusal) return `${ofRefusal} ${entry.class === 'waiting' ? CONTINUES : SUBMIT_AGAIN}`;
  if (!entry.look)
    return filledIn(remedyOfWait(cause.podReason) ?? remedy, names) + (lacksGpus(cause) ? PRETEND : '');
  const { says, isUnlogged, isCertain } =
    meaningOfLog(cause, names) ?? meaningOfEnd(cause) ?? (cause.pod ? STALLED : unknownEnd(names, inHistory));
  const looked = cause.error ? { ...names, pod: cause.error.pod } : names;
  const parts = [
    says,
    isUnlogged ? '' : filledIn(LOOKS[entry.look], looked),
    isCertain ? '' : filledIn(remedy, names),
  ];
  return parts.filter(Boolean).join(' ');
}

/** What the line of a log says that has a signature, unless Kubernetes says for certain how the container ended. */
function meaningOfLog(cause: Cause, names: Names): EndMeaning | undefined {
  const { error } = cause;
  const row = signatureOf(error?.signature);
  if (!error || !row || isCertainEnd(cause)) return undefined;
  const { pod, node } = error;
  const parts = [row.means, row.remedy, node === undefined ? '' : row.ofNode];
  const says = filledIn(parts.filter(Boolean).join(' '), { ...names, pod, node });
  return { says, ...(row.class === 'code' || row.class === 'memory' ? { isCertain: true } : {}) };
}

/** Reasons whose messages have the words of the API server, or of a quota. */
const SAID_BY_SERVER: ReadonlySet<string> = new Set([
  ...['ClusterRefused', 'QuotaExceeded', 'NeverFits'],
  ...['NamespaceMissing', 'NamespaceTerminating', 'Forbidden'],
]);

const CONTINUES = 'The job then continues by itself.';
const SUBMIT_AGAIN = 'Then submit the job again.';

/** Whether GPUs are what keeps pods from nodes, in words of this engine or of a scheduler. */
const lacksGpus = ({ reason, message }: Cause): boolean =>
  (reason === 'WaitingForGang' || reason === 'Unschedulable' || reason === 'NeverFits') &&
  /(needs \d+|requests \d+|Insufficient) [\w.-]+\/gpu\b/.test(message);

const PRETEND = ' In a sandbox, `signalbox sandbox up --gpus 8` pretends GPUs.';

/** A pod that has not ended itself: its evidence has what it wrote last. */
const STALLED: EndMeaning = { says: '' };

const unknownEnd = (names: Names, inHistory: boolean): EndMeaning => ({
  says: inHistory ? '' : filledIn('`signalbox history NAME` says what became of the pods.', names),
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

type Names = Pick<Cause, 'pod' | 'container' | 'node' | 'memoryLimit'> & { readonly job: string };

/** Leaves out what is not known: each command works without it. */
export const filledIn = (text: string, { pod, container, node, memoryLimit, job }: Names): string =>
  text
    .replaceAll(' (LIMIT now)', memoryLimit === undefined ? '' : ` (${memoryLimit} now)`)
    .replaceAll('of CONTAINER', container === undefined ? 'of the container' : `of container ${container}`)
    .replaceAll(' --pod POD', pod === undefined ? '' : ` --pod ${pod}`)
    .replaceAll(' -c CONTAINER', container === undefined ? '' : ` -c ${container}`)
    .replaceAll('node NODE', node === undefined ? 'the node' : `node ${node}`)
    .replaceAll('cordon NODE', `cordon ${node}`)
    .replaceAll(/\bNAME\b/g, () => job);
