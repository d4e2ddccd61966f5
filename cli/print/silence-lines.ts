import type { JobSilence } from '../../contracts/types.ts';
import { formatDuration } from '../../language/duration.ts';

/** Returns what is printed of a silent job, with the names of the fields. */
export const silenceFields = (silence: JobSilence | undefined): readonly (readonly [string, string])[] =>
  silence
    ? [
        ['silent', `for ${lastingOf(silence)}; the last line of ${silence.pod} was: ${silence.line}`],
        ['limit', silence.remedy],
      ]
    : [];

/** Returns the same for a table. */
export const silenceCell = (silence: JobSilence | undefined): string =>
  silence ? `${lastingOf(silence)}: ${silence.line}` : '';

const lastingOf = ({ seconds }: JobSilence): string => formatDuration(seconds * 1000);
