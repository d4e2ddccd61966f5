import { errorText } from '../../../contracts/error-text.ts';
import { jobArguments } from '../../../contracts/job-arguments.ts';
import { REASONS } from '../../../contracts/reasons.ts';
import { remedyOfCause } from '../../../contracts/remedies.ts';
import { isFinal } from '../../../contracts/status.ts';
import type { Explanation, Phase, WhyAnswer } from '../../../contracts/types.ts';
import { withoutUndefined } from '../../../language/fields.ts';
import type { KnownStatus } from '../../servers/recorded-status.ts';

/** Explains a status. */
export function explanationOf(status: KnownStatus): Explanation {
  const { phase, cause, recordedIn, completionTime, startTime } = status;
  const since = (isFinal(phase) ? completionTime : undefined) ?? status.since ?? startTime;
  const known = { phase, ...(since === undefined ? {} : { since }), ...(recordedIn ? { recordedIn } : {}) };
  if (!cause) return { ...known, sentence: UNCAUSED[phase] ?? `The job is ${phase}.` };
  const { reason, message, pod, node, container, rule } = cause;
  const { sentence } = REASONS[reason];
  const remedy = cause.remedy ?? remedyOfCause(cause, jobArguments(status));
  const place = Object.entries({ pod, node, container, rule }).filter(([, value]) => value !== undefined);
  return {
    ...known,
    ...{ reason, sentence, remedy },
    ...(message ? { details: message } : {}),
    ...Object.fromEntries(place),
  };
}

/** Returns what the logs say of a failure, and what it has in common with those before. */
export const toldByLogs = ({ cause, advice }: KnownStatus): Pick<WhyAnswer, 'errorLine' | 'advice'> =>
  withoutUndefined({ errorLine: cause && errorText(cause), advice: advice?.sentence });

const UNCAUSED: Readonly<Partial<Record<Phase, string>>> = {
  Pending: 'No worker has admitted the job yet.',
  Running: 'The job runs.',
  Completed: 'Every replica that decides the outcome has succeeded.',
};
