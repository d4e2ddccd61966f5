import { REASONS } from '../../../contracts/reasons.ts';
import { header, pythonText } from './source.ts';

const REASON = `
from typing import NamedTuple


class Reason(NamedTuple):
    """What a reason code means."""

    reason_class: str
    """Who can do something about it: waiting, request, program, infrastructure, limit, stopped or engine."""
    sentence: str
    remedy: str
`;

/** Returns python/src/signalbox/models/reasons.py. */
export function pythonReasons(): string {
  const entries = Object.entries(REASONS).map(([code, { class: reasonClass, sentence, remedy }]) => {
    const texts = [reasonClass, sentence, remedy].map((text) => `        ${pythonText(text)},\n`);
    return `    ${pythonText(code)}: Reason(\n${texts.join('')}    ),\n`;
  });
  return `${header('contracts/reasons.ts')}${REASON}\n\nREASONS = {\n${entries.join('')}}\n`;
}
