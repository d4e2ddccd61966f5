import { stringify } from 'yaml';
import type { LedgerEntry } from '../../../contracts/types.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { entryLink } from '../page/words.ts';

const COLUMNS = [
  { heading: 'Rule' },
  { heading: 'Decided', is: 'number' },
  { heading: 'What it decided last' },
] as const;

/** The policy, and which rules decided something. */
export function rulesSection({ data }: ReportFacts): PageSection {
  const byRule = Map.groupBy(
    data.entries.filter(({ rule }) => rule !== undefined),
    ({ rule }) => rule!,
  );
  const rows = [...byRule].map(([rule, entries]) => rowOfRule(rule, entries));
  const rules =
    rows.length === 0
      ? html`<p class="empty">No rule had to decide anything.</p>`
      : tableMarkup('Rules that decided', COLUMNS, rows);
  const budgets = budgetsText(data.status.budgets);
  const content = html`${rules}
${budgets && html`<p>Budgets: ${budgets}.</p>`}
${policyMarkup(data.policy)}`;
  return { id: 'policy', heading: 'Policy and rules', content };
}

function rowOfRule(rule: string, entries: readonly LedgerEntry[]) {
  const last = entries.at(-1)!;
  const times = entries.length === 1 ? 'once' : `${entries.length} times`;
  return [html`<code>${rule}</code>`, times, html`${last.message} ${entryLink(last.seq)}`];
}

const budgetsText = (budgets: ReportFacts['data']['status']['budgets'] = {}) =>
  Object.entries(budgets)
    .map(([name, { used, allowed }]) => `${name}, ${used} of ${allowed} used`)
    .join('; ');

function policyMarkup(policy: unknown): Markup {
  if (policy === undefined)
    return html`<p class="lead">The manifest has no policy: the defaults applied.</p>`;
  const text = typeof policy === 'string' ? policy : stringify(policy);
  return html`<h3>Policy in effect</h3><pre><code>${text.trimEnd()}</code></pre>`;
}
