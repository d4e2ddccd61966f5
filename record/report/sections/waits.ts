import { countText } from '../../../language/count-text.ts';
import { formatDuration } from '../../../language/duration.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { timeText } from '../page/time-texts.ts';
import { entryLink, sentenceOf } from '../page/words.ts';

const COLUMNS = [
  { heading: 'What for' },
  { heading: 'Since', is: 'time' },
  { heading: 'How long', is: 'number' },
  { heading: 'What the job knew' },
] as const;

/** Only the longest waits are shown; the ledger has the others. */
const MOST = 60;

export function waitsSection({ waits }: ReportFacts): PageSection {
  const whole = waits.reduce((sum, { from, to }) => sum + to - from, 0);
  const shown = [...waits].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST);
  const rows = shown.map(({ reason, from, to, message, seq }) => [
    html`${reason}<br><span class="small muted">${sentenceOf(reason)}</span>`,
    timeText(from).replace(' UTC', ''),
    formatDuration(to - from),
    html`${message} ${entryLink(seq)}`,
  ]);
  const content =
    waits.length === 0
      ? html`<p class="empty">It did not wait.</p>`
      : html`<p class="lead">It waited ${countText(waits.length, 'time')}, ${formatDuration(whole)} together. The longest wait comes first.</p>
${tableMarkup('What the job waited for, times in UTC', COLUMNS, rows)}
${waits.length > MOST && html`<p class="small muted">${waits.length - MOST} shorter ones are in the <a href="#ledger">ledger</a>.</p>`}`;
  return { id: 'waits', heading: 'Why it waited', count: waits.length, content };
}
