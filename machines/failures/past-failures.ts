import type { EvidenceSummary, FailureError } from '../../contracts/types.ts';
import { withoutUndefined } from '../../language/fields.ts';
import { countRestarts, type JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { keyOfError, rootErrorOf } from './root-error.ts';

/** A failure of the job whose logs say why. */
export interface PastFailure {
  readonly attempt: number;
  /** Restarts before it: what fails until the next one is the same failure. */
  readonly restarts: number;
  readonly error: FailureError;
  /** The same of failures that are alike. */
  readonly key: string;
  /** How far the attempt came, if it told. */
  readonly reached?: number;
  /** The program reports its progress, and has reported none. */
  readonly isWithoutProgress?: true;
}

/** More say nothing more. */
const KEPT = 5;

/** Returns the last failures after an event, the earliest first; undefined without one. `before`: the context before it. */
export function failuresAfter(
  known: readonly PastFailure[] | undefined,
  event: JobEvent,
  before: JobContext,
): readonly PastFailure[] | undefined {
  // What is read of a job that stalls is of runs before.
  if (event.type !== 'effectDone' || event.effect !== 'capture' || before.trouble) return known;
  const failure = failureIn(event.evidence ?? [], before);
  if (!failure) return known;
  const last = known?.at(-1);
  const isSame = last?.attempt === failure.attempt && last.restarts === failure.restarts;
  if (isSame && last.error.class !== 'cascade') return known;
  return [...(known ?? []).slice(0, isSame ? -1 : undefined), failure].slice(-KEPT);
}

function failureIn(evidence: readonly EvidenceSummary[], context: JobContext): PastFailure | undefined {
  const own = evidence.filter(({ attempt }) => attempt === context.attempt);
  const root = rootErrorOf(own);
  if (!root) return undefined;
  const { attempt, restarts } = context;
  const { log, annotation } = jobPolicy(context).progress ?? {};
  const isReported = (log ?? annotation) !== undefined;
  const reached = reachedIn(own, context);
  return withoutUndefined({
    ...{ attempt, restarts: countRestarts(restarts), error: root.error, key: keyOfError(root.from), reached },
    isWithoutProgress: isReported && !context.progress ? (true as const) : undefined,
  });
}

/** By what the policy names, else by what the logs show. */
function reachedIn(evidence: readonly EvidenceSummary[], { progress }: JobContext): number | undefined {
  const reported = Number(progress?.value || Number.NaN);
  if (Number.isFinite(reported)) return reported;
  const steps = evidence.flatMap(({ step }) => step ?? []);
  return steps.length > 0 ? Math.max(...steps) : undefined;
}
