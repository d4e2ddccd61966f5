import { WAITS } from '../../../contracts/waits.ts';
import { header, pythonText } from './source.ts';

/** Returns python/src/signalbox/models/waits.py. */
export function pythonWaits(): string {
  const entries = Object.entries(WAITS).flatMap(([reason, row]) =>
    'phrase' in row ? `    ${pythonText(reason)}: ${pythonText(row.phrase)},\n` : [],
  );
  const docstring = '"""What the reasons of waiting containers mean."""';
  return `${header('contracts/waits.ts')}\nWAIT_PHRASES = {\n${entries.join('')}}\n${docstring}\n`;
}
