import { formatDuration } from '../language/duration.ts';
import type { JobSilence, JobSteps } from './types.ts';

/** What the log of a running job tells of it. */
interface LogSigns {
  readonly steps?: JobSteps;
  readonly silence?: JobSilence;
}

/** Returns what is said of a job's log, with the names of the fields. */
export const logFields = ({ steps, silence }: LogSigns): readonly (readonly [string, string])[] => [
  ...(steps ? [['steps', stepsText(steps)] as const] : []),
  ...(silence
    ? [
        ['silent', `for ${silentFor(silence)}; ${lastOf(silence)}`] as const,
        ['limit', silence.remedy] as const,
      ]
    : []),
];

export const silentFor = ({ seconds }: JobSilence): string => formatDuration(seconds * 1000);

const stepsText = ({ sentence, pod, form }: JobSteps): string =>
  form === undefined ? sentence : `${sentence} (${form} in the log of ${pod})`;

const lastOf = ({ pod, line }: JobSilence): string =>
  line === undefined ? `${pod} has written no line since its start` : `the last line of ${pod} was: ${line}`;
