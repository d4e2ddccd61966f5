import type { LedgerCause, LedgerEntry } from '../../../contracts/types.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { timeText } from '../page/time-texts.ts';
import { entryLink, fieldsText, whoMarkup } from '../page/words.ts';

const COLUMNS = [
  { heading: 'When', is: 'time' },
  { heading: 'What' },
  { heading: 'Who' },
  { heading: 'Why' },
  { heading: 'Result' },
] as const;

/** What people and programs asked of the job. */
export function requestsSection({ data }: ReportFacts): PageSection {
  const rows = data.entries.flatMap((entry) => {
    const { cause } = entry;
    return cause.type === 'request' || cause.type === 'closed' ? [rowOfRequest(entry, cause)] : [];
  });
  const content =
    rows.length === 0
      ? html`<p class="empty">There were no requests.</p>`
      : tableMarkup('Requests to the job, times in UTC', COLUMNS, rows);
  return { id: 'interventions', heading: 'Interventions', count: rows.length, content };
}

type Asked = Extract<LedgerCause, { type: 'request' | 'closed' }>;

const rowOfRequest = (entry: LedgerEntry, cause: Asked) => [
  timeText(entry.at).replace(' UTC', ''),
  what(cause),
  whoMarkup(cause.who),
  cause.why ?? html`<span class="muted">not said</span>`,
  result(entry, cause),
];

function what(cause: Asked): Markup {
  if (cause.type === 'closed') return html`<b>${cause.how}</b> by Temporal`;
  const asked = fieldsText(cause.asked);
  return html`<b>${cause.request}</b>${asked && html`<br><code>${asked}</code>`}`;
}

function result(entry: LedgerEntry, cause: Asked): Markup {
  if (cause.type === 'request' && cause.refused !== undefined)
    return html`<span class="tag bad">refused</span> ${cause.refused} ${entryLink(entry.seq)}`;
  return html`${entry.message} ${entryLink(entry.seq)}`;
}
