import type { ValueDifference } from '../../contracts/differences/structure.ts';
import { formatDuration } from '../../language/duration.ts';
import type { ComparedSide, JobComparison } from '../../record/compare/compare-jobs.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { tableMarkup } from '../../record/report/page/table.ts';
import type { ConsolePage } from './layout.ts';

interface ShownComparison {
  readonly a: string;
  readonly b: string;
  /** Absent before two jobs are named. */
  readonly compared?: JobComparison;
}

/** Two jobs, or two runs of a name, side by side: what `signalbox diff` says. */
export const comparePage = ({ a, b, compared }: ShownComparison): ConsolePage => ({
  title: 'Compare',
  place: '/compare',
  isBroad: true,
  body: html`<h1>Compare two jobs</h1>
<form class="filters" method="get" action="/compare" aria-label="Which jobs">
<label class="field">A job<input name="a" value="${a}" placeholder="ml/train" required></label>
<label class="field">Another, or a run before it<input name="b" value="${b}" placeholder="ml/train@-1" required></label>
<button>Compare</button></form>
${compared && comparisonMarkup(compared, [a, b])}`,
});

function comparisonMarkup(
  { a, b, isEqual, ran, ...parts }: JobComparison,
  names: readonly [string, string],
): Markup {
  const sections: readonly (readonly [string, readonly ValueDifference[]])[] = [
    ['Manifest', parts.manifest],
    ['Policy', parts.policy],
    ['Environment', parts.environment],
    ['Images', parts.images],
    ['Images that ran', ran],
  ];
  const columns = [{ heading: 'What' }, ...names.map((heading) => ({ heading }))];
  return html`${isEqual && html`<div class="told"><p>They are equal: what differs are names, times and nodes at most.</p></div>`}
<h2>Outcome</h2>${tableMarkup('Outcome and times', columns, factRows(a, b))}
${sections.map(([title, differences]) => differences.length > 0 && html`<h2>${title}</h2>${tableMarkup(`Differences: ${title.toLowerCase()}`, columns, differences.map(rowOfDifference))}`)}`;
}

const rowOfDifference = ({ path, a, b }: ValueDifference) => [path, valueMarkup(a), valueMarkup(b)];

function valueMarkup(value: unknown): Markup {
  if (value === undefined) return html`<span class="muted">absent</span>`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('\n') ? html`<pre>${text}</pre>` : html`<code>${text}</code>`;
}

function factRows(a: ComparedSide, b: ComparedSide) {
  const both = (name: string, read: (side: ComparedSide) => string) => [name, read(a), read(b)];
  const keys = (read: (side: ComparedSide) => object) => [
    ...new Set([a, b].flatMap((side) => Object.keys(read(side)))),
  ];
  return [
    both('Job', ({ workflowId }) => workflowId),
    both('Run', ({ runId }) => runId),
    both('Outcome', ({ phase, reason, message }) => [phase, reason, message].filter(Boolean).join(': ')),
    both('Attempts', ({ attempts, restarts }) => `${attempts}, restarts ${restarts}`),
    ...keys(({ failures }) => failures).map((how) =>
      both(how, ({ failures }) => `${failures[how] ?? 0} failed`),
    ),
    ...keys(({ timings }) => timings).map((doing) =>
      both(doing, ({ timings: { [doing]: ms } }) => (ms === undefined ? '' : formatDuration(ms))),
    ),
    both('Nodes', ({ nodes }) => Object.keys(nodes).join(', ')),
  ];
}
