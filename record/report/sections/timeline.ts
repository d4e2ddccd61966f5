import { isRestartInPlace } from '../../facts/in-place-restarts.ts';
import type { Charts } from '../charts/chart.ts';
import { jobGantt } from '../charts/job-gantt.ts';
import { COUNTED, countsOfLedger, countsOfPods, thinnedOut } from '../facts/counts.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { podTable } from './pod-table.ts';

/** When the job and its pods were in which state. */
export function timelineSection(facts: ReportFacts, charts: Charts): PageSection {
  const { data, spans, lives, from, to } = facts;
  const gantt = jobGantt({ spans, lives, entries: data.entries, from, to });
  const content = html`<p class="lead">${podsSentence(facts)}</p>
${legend(facts)}
<figure><div class="wide">${charts.gantt(gantt, 'wide')}</div><div class="narrow">${charts.gantt(gantt, 'narrow')}</div>
<figcaption>Times are UTC. Dashed lines show where an attempt begins. <a href="#attempts">Attempts</a>, <a href="#failures">failures</a> and <a href="#ledger">the ledger</a> have the same in words.</figcaption></figure>
${podTable(facts)}
${countsFigure(facts, charts)}`;
  return { id: 'timeline', heading: 'Timeline', content };
}

function podsSentence({ lives, unrecorded, hasEnded }: ReportFacts): string {
  if (lives.length === 0)
    return hasEnded
      ? 'There is no record of this job’s pods: the chart shows its phases from the ledger.'
      : 'Pods are recorded when their attempt ends: until then the chart shows phases from the ledger.';
  const pods = 'Each row is a pod: while it waited for a node, started and ran.';
  if (unrecorded.length === 0) return pods;
  const attempts = `${unrecorded.length === 1 ? 'Attempt' : 'Attempts'} ${unrecorded.join(', ')}`;
  return `${pods} ${attempts} ${unrecorded.length === 1 ? 'has' : 'have'} no record of pods: the chart shows phases from the ledger.`;
}

const swatch = (colour: string) =>
  html`<svg viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="2" fill="var(--${colour})"/></svg>`;

const failureSign = html`<svg viewBox="0 0 12 12" aria-hidden="true"><path d="M2 2L10 10M10 2L2 10" stroke="var(--failure)" stroke-width="2.4"/></svg>`;
const restartSign = html`<svg viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="4" stroke="var(--warn)" stroke-width="2" fill="none"/></svg>`;
const requestSign = html`<svg viewBox="0 0 12 12" aria-hidden="true"><path d="M6 1L11 6L6 11L1 6Z" stroke="var(--request)" stroke-width="2" fill="none"/></svg>`;

function legend({ spans, lives, data }: ReportFacts): Markup {
  const phases = [...new Set(spans.map(({ phase }) => phase))];
  const states = [...new Set(lives.flatMap(({ stretches }) => stretches.map(({ state }) => state)))];
  const asked = data.entries.some(({ cause }) => cause.type === 'request');
  const failed =
    lives.some(({ ended }) => ended === 'failed') ||
    data.entries.some((entry) => entry.pods?.length && !isRestartInPlace(entry));
  const restarted = lives.some(({ restarts }) => restarts > 0) || data.entries.some(isRestartInPlace);
  return html`<ul class="legend" aria-label="Colours of the chart">
${phases.map((phase) => html`<li>${swatch(phase.toLowerCase())}${phase}</li>`)}
${states.includes('waiting') && !phases.includes('Pending') && html`<li>${swatch('pod-waiting')}waits for a node</li>`}
${states.includes('restarting') && html`<li>${swatch('pod-restarting')}restarted in place again and again</li>`}
${restarted && html`<li>${restartSign}restarted in place</li>`}
${failed && html`<li>${failureSign}pod failed</li>`}
${asked && html`<li>${requestSign}a request</li>`}
</ul>`;
}

/** Columns of the chart of counts; more cannot be seen. */
const STEPS = 500;

function countsFigure(
  { data, lives, unrecorded, from, to }: ReportFacts,
  charts: Charts,
): Markup | undefined {
  const byPods = lives.length > 0 && unrecorded.length === 0;
  const points = thinnedOut(byPods ? countsOfPods(lives) : countsOfLedger(data.entries), STEPS);
  if (points.length === 0) return undefined;
  const layers = COUNTED.toReversed().filter((state) => points.some(({ counts }) => counts[state] > 0));
  const most = Math.max(
    ...points.map(({ counts }) => COUNTED.reduce((sum, state) => sum + counts[state], 0)),
  );
  const description = `Pods by state over time: at most ${most} at once. States: ${layers.join(', ')}.`;
  const chart = { description, from, to, layers, points };
  const source = byPods ? 'the record of pods' : 'the counts in the ledger';
  return html`<h3 id="counts">Pods by state</h3>
<ul class="legend" aria-label="Colours of the chart">${layers.toReversed().map((layer) => html`<li>${swatch(`pod-${layer}`)}${LAYER_WORDS[layer]}</li>`)}</ul>
<figure><div class="wide">${charts.layers(chart, 'wide')}</div><div class="narrow">${charts.layers(chart, 'narrow')}</div>
<figcaption>How many pods were in which state, from ${source}.</figcaption></figure>`;
}

const LAYER_WORDS = {
  waiting: 'wait for a node',
  starting: 'start',
  restarting: 'are restarted in place',
  running: 'run',
  succeeded: 'have succeeded',
  failed: 'have failed',
} as const;
