import type { LedgerCause, LedgerEntry } from '../../../contracts/types.ts';
import { countText } from '../../../language/count-text.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup, trusted } from '../page/markup.ts';
import { dayText } from '../page/time-texts.ts';
import { fieldsText, whoMarkup } from '../page/words.ts';

/** A longer ledger is not printed unless it is opened. */
const MOST_PRINTED = 400;

/** Every entry. HTML needs no end of rows and cells: for 20,000 entries that, and classes of cells, would be two megabytes. */
export function ledgerSection({ data }: ReportFacts): PageSection {
  const { entries, ledger } = data;
  const isLarge = entries.length > MOST_PRINTED;
  const content = html`<p class="lead">Everything that happened, as the job recorded it: ${countText(entries.length, 'entry', 'entries')}. Times are UTC.</p>
<details${trusted(isLarge ? ' class="large"' : ' open')}><summary>${countText(entries.length, 'entry', 'entries')}</summary>
<form class="filter" data-of="entries" hidden><label>Show rows with <input type="search"></label><output></output></form>
<div class="scroll" role="group" aria-label="Ledger" tabindex="0"><table class="ledger" id="entries"><caption>Ledger, times in UTC</caption>
<thead><tr><th scope="col">No.</th><th scope="col">Time</th><th scope="col">Attempt</th><th scope="col">State</th><th scope="col">Cause</th><th scope="col">What happened</th></tr></thead>
<tbody>${entries.map((entry, index) => row(entry, entries[index - 1]))}</tbody></table></div></details>
<p class="small muted">SHA-256 of the ledger: <span class="mono">${ledger.hash}</span>, ${countText(ledger.entries, 'entry', 'entries')}.</p>`;
  return { id: 'ledger', heading: 'Ledger', count: entries.length, content, newPage: !isLarge };
}

function row(entry: LedgerEntry, before: LedgerEntry | undefined): Markup {
  const isNewDay = !before || dayText(before.at) !== dayText(entry.at);
  const time = `${isNewDay ? `${entry.at.slice(0, 10)} ` : ''}${entry.at.slice(11, 23).replace('Z', '')}`;
  const state = entry.from === entry.to ? entry.to : html`<b>${entry.to}</b>`;
  return html`<tr id=e${entry.seq}><th scope=row>${entry.seq}<td>${time}<td>${entry.attempt}<td>${state}<td>${causeText(entry.cause)}<td>${entry.message}${details(entry)}
`;
}

function details({ cause, rule, effects = [], evidence = [] }: LedgerEntry): Markup[] {
  const lines: Markup[] = [];
  if (rule) lines.push(html`<code>${rule}</code>`);
  if (cause.type === 'submitted' || cause.type === 'request' || cause.type === 'closed')
    lines.push(html`${whoMarkup(cause.who)}${cause.why && html`: ${cause.why}`}`);
  if (cause.type === 'request' && cause.asked) lines.push(html`asked ${fieldsText(cause.asked)}`);
  if (effects.length > 0)
    lines.push(
      html`→ ${effects.map(({ effect, what }) => (what ? `${effect} (${fieldsText(what)})` : effect)).join(', ')}`,
    );
  if (evidence.length > 0) lines.push(html`${countText(evidence.length, 'evidence record')}`);
  return lines.map((line) => html`<br><span class="small muted">${line}</span>`);
}

function causeText(cause: LedgerCause): string {
  if (cause.type === 'timer') return `timer ${cause.timer}`;
  if (cause.type === 'request') return `${cause.request}${cause.refused === undefined ? '' : ', refused'}`;
  if (cause.type === 'effect') return `${cause.effect} ${cause.ended}`;
  return cause.type === 'closed' ? cause.how : cause.type;
}
