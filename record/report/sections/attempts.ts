import { formatDuration } from '../../../language/duration.ts';
import type { AttemptFacts } from '../../facts/attempts.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { timeText } from '../page/time-texts.ts';
import { entryLink } from '../page/words.ts';

const COLUMNS = [
  { heading: 'Attempt', is: 'number' },
  { heading: 'Began', is: 'time' },
  { heading: 'Until it ran', is: 'number', late: true },
  { heading: 'Took', is: 'number' },
  { heading: 'Failed pods', is: 'number', late: true },
  { heading: 'How it ended' },
] as const;

export function attemptsSection({ attempts }: ReportFacts): PageSection {
  const rows = attempts.map((attempt) => [
    attempt.number,
    timeText(attempt.from).replace(' UTC', ''),
    attempt.ranAt === undefined ? 'never ran' : formatDuration(attempt.ranAt - attempt.from),
    formatDuration(attempt.to - attempt.from),
    attempt.failedPods || '',
    endMarkup(attempt),
  ]);
  return {
    ...{ id: 'attempts', heading: 'Attempts', count: attempts.length },
    content: tableMarkup('Attempts, times in UTC', COLUMNS, rows),
  };
}

function endMarkup({ end, nodes }: AttemptFacts): Markup {
  if (!end) return html`<span class="muted">not ended</span>`;
  return html`${end.message} ${entryLink(end.seq)}
${end.rule && html`<br><code>${end.rule}</code>`}
${nodes.length > 0 && html`<br><span class="small muted">nodes of failed pods: ${nodes.slice(0, 8).join(', ')}${nodes.length > 8 && ` and ${nodes.length - 8} more`}</span>`}`;
}
