import { INTERRUPTIONS } from '../../contracts/ends.ts';
import { REASONS, type ReasonEntry } from '../../contracts/reasons.ts';
import { signatureOf } from '../../contracts/signatures.ts';
import type { Cause, EvidenceSummary, FailureError } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';

type Told = EvidenceSummary & { readonly errorLine: string };

/** What all logs of a failure say together, and whose log says it. */
interface RootError {
  readonly error: FailureError;
  readonly from: EvidenceSummary;
}

/**
 * Returns what the logs of failed pods say of why they failed: the earliest that does not only follow from another end. The same
 * text of several pods is one fact. Undefined if no log says it.
 */
export function rootErrorOf(evidence: readonly EvidenceSummary[]): RootError | undefined {
  const told = evidence.filter(tells).toSorted(byRank);
  const [root] = told;
  if (!root) return undefined;
  const { pod, node, errorLine: line, signature } = root;
  const row = signatureOf(signature);
  const key = keyOfError(root);
  const pods = new Set(told.filter((one) => keyOfError(one) === key).map((one) => one.pod)).size;
  const error = { line, pod, node, pods, signature, class: row?.class, means: row?.means };
  return { error: withoutUndefined(error), from: root };
}

/** The program of a pod that was told to stop may say anything. */
const tells = (one: EvidenceSummary): one is Told =>
  one.errorLine !== undefined && !Object.hasOwn(INTERRUPTIONS, one.reason ?? '');

/** Times have whole seconds: within one, a line that is understood says more. */
function byRank(a: Told, b: Told): number {
  return (
    Number(isCascade(a)) - Number(isCascade(b)) ||
    timeOf(a) - timeOf(b) ||
    Number(a.signature === undefined) - Number(b.signature === undefined) ||
    a.role.localeCompare(b.role) ||
    a.index - b.index
  );
}

const isCascade = ({ signature }: Told): boolean => signatureOf(signature)?.class === 'cascade';

const timeOf = ({ failedAt, takenAt }: EvidenceSummary): number => Date.parse(failedAt ?? takenAt);

/** By which two lines are the same: numbers and addresses differ each time. */
export const keyOfError = ({ errorLine = '', signature = '' }: Partial<Told>): string =>
  `${signature} ${errorLine.replaceAll(/0x[\da-f]+|\d+(?:\.\d+)?/gi, '#')}`;

/**
 * Adds to the cause of a failed job what the evidence of its last pods says. Evidence that comes later may know the root. `known`:
 * evidence from before the event.
 */
export function withRootError(
  context: JobContext,
  event: JobEvent,
  known: readonly EvidenceSummary[] = [],
): JobContext {
  const { outcome, attempt } = context;
  const cause = outcome?.cause;
  if (outcome?.phase !== 'Failed' || !cause || !endsByProgram(cause)) return context;
  if (cause.error && cause.error.class !== 'cascade') return context;
  const taken = event.type === 'effectDone' ? (event.evidence ?? []) : [];
  const uids = failedUids(context);
  const ofLast = [...taken, ...known.filter(({ uid }) => uids.has(uid))];
  const error = rootErrorOf(ofLast.filter((one) => one.attempt === attempt))?.error;
  if (!error || (cause.error && error.class === 'cascade')) return context;
  return { ...context, outcome: { ...outcome, cause: { ...cause, error } } };
}

const endsByProgram = ({ reason }: Cause): boolean => (REASONS[reason] as ReasonEntry).look !== undefined;

/** Pods that were replaced meanwhile have not ended the job. */
function failedUids({ digest }: JobContext): ReadonlySet<string> {
  const { failures = [], vanished = [], crash, programCrashes = [] } = digest ?? {};
  const pods = [...failures, ...vanished, ...programCrashes, ...(crash ? [crash] : [])];
  return new Set(pods.map(({ uid }) => uid));
}
