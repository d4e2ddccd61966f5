import { compareText } from '../../../language/compare-text.ts';
import { countText } from '../../../language/count-text.ts';
import { formatDuration } from '../../../language/duration.ts';
import type { PodLife } from '../../facts/pod-lives.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { clockText, timeText } from '../page/time-texts.ts';

const COLUMNS = [
  { heading: 'Pod' },
  { heading: 'Attempt', is: 'number' },
  { heading: 'Node' },
  { heading: 'Created', is: 'time', late: true },
  { heading: 'Waited', is: 'number', late: true },
  { heading: 'Started', is: 'number', late: true },
  { heading: 'Ran', is: 'number' },
  { heading: 'Restarts', is: 'number', late: true },
  { heading: 'Ended' },
] as const;

/** The same as the chart, for those who cannot see it, and for every pod. */
export function podTable({ lives }: ReportFacts): Markup | undefined {
  if (lives.length === 0) return undefined;
  const rows = [...lives].sort(failedFirst).map(rowOfPod);
  const isLarge = lives.length > 200;
  return html`<details class="${isLarge ? 'large' : ''}"><summary>${countText(lives.length, 'pod')} of all attempts as a table</summary>
${tableMarkup('Pods of all attempts; those that failed come first', COLUMNS, rows)}</details>`;
}

const failedFirst = (a: PodLife, b: PodLife) =>
  Number(b.ended === 'failed') - Number(a.ended === 'failed') ||
  a.attempt - b.attempt ||
  compareText(a.role, b.role) ||
  a.index - b.index;

function rowOfPod(life: PodLife) {
  const lasted = (state: string) => {
    const stretches = life.stretches.filter((one) => one.state === state);
    const sum = stretches.reduce((all, { from, to }) => all + to - from, 0);
    return stretches.length > 0 ? formatDuration(sum) : '';
  };
  return [
    life.pod,
    life.attempt,
    life.node ?? '',
    timeText(life.from).replace(' UTC', ''),
    lasted('waiting'),
    lasted('starting'),
    lasted('running'),
    life.restarts,
    html`${clockText(life.to)} ${endText(life)}`,
  ];
}

function endText({ ended, failure = {} }: PodLife): Markup {
  if (ended !== 'failed') return html`<span class="muted">${ended}</span>`;
  const { exitCode, reason } = failure;
  const how = [exitCode === undefined ? 'failed' : `exit code ${exitCode}`, reason]
    .filter(Boolean)
    .join(', ');
  return html`<span class="tag bad">${how}</span>`;
}
