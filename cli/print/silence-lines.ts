import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import type { JobSilence, JobSteps } from '../../contracts/types.ts';
import { formatDuration } from '../../language/duration.ts';

/** Returns what is printed of a job's log, with the names of the fields. */
export const logFields = ({ steps, silence }: LogSigns): readonly (readonly [string, string])[] => [
  ...(steps ? [['steps', stepsText(steps)] as const] : []),
  ...silenceFields(silence),
];

const silenceFields = (silence: JobSilence | undefined): readonly (readonly [string, string])[] =>
  silence
    ? [
        ['silent', `for ${lastingOf(silence)}; ${lastOf(silence)}`],
        ['limit', silence.remedy],
      ]
    : [];

const stepsText = ({ sentence, pod, form }: JobSteps): string =>
  form === undefined ? sentence : `${sentence} (${form} in the log of ${pod})`;

/** Returns the same for a table. */
export const silenceCell = ({ silence }: LogSigns = {}): string =>
  silence ? `${lastingOf(silence)}: ${silence.line ?? 'no line since its start'}` : '';

const lastOf = ({ pod, line }: JobSilence): string =>
  line === undefined ? `${pod} has written no line since its start` : `the last line of ${pod} was: ${line}`;

export function stepCell({ steps }: LogSigns = {}): string {
  const { step, total, epoch, isLate } = steps ?? {};
  const place =
    step === undefined
      ? epoch === undefined
        ? ''
        : `epoch ${epoch}`
      : [step, total].filter((part) => part !== undefined).join('/');
  return isLate ? `${place} (late)` : place;
}

const lastingOf = ({ seconds }: JobSilence): string => formatDuration(seconds * 1000);
