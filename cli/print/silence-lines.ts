import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import { silentFor } from '../../contracts/log-words.ts';

/** Says in a table that a job is silent. */
export const silenceCell = ({ silence }: LogSigns = {}): string =>
  silence ? `${silentFor(silence)}: ${silence.line ?? 'no line since its start'}` : '';

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
