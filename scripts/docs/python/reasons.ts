import { REASONS, type ReasonEntry } from '../../../contracts/reasons.ts';
import { filledIn, generalRemedy } from '../../../contracts/remedies.ts';
import { header, pythonText } from './source.ts';

const REASON = `
from typing import NamedTuple


class Reason(NamedTuple):
    """What a reason code means."""

    reason_class: str
    """Who can do something about it: waiting, request, program, infrastructure, limit, stopped or engine."""
    sentence: str
    remedy: str
    """For a status that has none of its own: {job} stands for the name of the job and its namespace."""
    who: str | None
    """Who can end a wait that \`why\` names: you, administrator or nobody."""
`;

/** Returns python/src/signalbox/models/reasons.py. */
export function pythonReasons(): string {
  const entries = Object.entries<ReasonEntry>(REASONS).map(([code, entry]) => {
    const { class: reasonClass, sentence, who } = entry;
    const remedy = filledIn(generalRemedy(entry), { job: '{job}' });
    const values = [...[reasonClass, sentence, remedy].map(pythonText), who ? pythonText(who) : 'None'];
    const texts = values.map((value) => `        ${value},\n`);
    return `    ${pythonText(code)}: Reason(\n${texts.join('')}    ),\n`;
  });
  return `${header('contracts/reasons.ts')}${REASON}\n\nREASONS = {\n${entries.join('')}}\n`;
}
