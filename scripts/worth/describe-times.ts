import { roughTime } from './calculator/answers.ts';
import type { KindTimes } from './recovery-times.ts';

interface TimesText {
  /** The mean, as the ratio needs it, or how many wait for a person. */
  readonly text: string;
  /** Why it is so, where it was not measured. */
  readonly calculated?: string;
}

/** In words, for people; `-` where nothing is known. */
export function describeTimes(kind: KindTimes | undefined): TimesText {
  if (!kind) return { text: '-' };
  const { trials, basis, note } = kind;
  const waiting = trials.filter(({ waitsForPerson }) => waitsForPerson).length;
  const mean = roughTime(trials.reduce((sum, { seconds }) => sum + seconds, 0) / trials.length);
  const kept = trials.every((trial) => trial.kept === 1) ? ', no work lost' : '';
  if (basis === 'calculated') return { text: waiting > 0 ? 'waits for a person' : mean, calculated: note };
  return { text: waiting > 0 ? `${waiting} of ${trials.length} wait for a person` : `${mean}${kept}` };
}
