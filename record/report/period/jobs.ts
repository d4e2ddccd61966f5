import { formatDuration } from '../../../language/duration.ts';
import { moneyText } from '../../uses/money-text.ts';
import { currencyOf } from '../../uses/priced-sums.ts';
import { partText } from '../../uses/use-sums.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { timeText } from '../page/time-texts.ts';
import { sentenceOf } from '../page/words.ts';
import { HOUR_MS, hoursText } from '../sections/head.ts';
import { moneyColumn } from '../sections/uses.ts';
import { tableOrNone } from './paid.ts';
import type { PeriodReport } from './period-report.ts';

/** Files with reports of jobs, relative to the page, by the first run of the job. */
export type JobLinks = ReadonlyMap<string, string>;

type NamedJob = Pick<PeriodReport['starts'][number], 'namespace' | 'name' | 'firstRunId' | 'phase' | 'user'>;

/** A name with its run is what commands take. */
function jobMarkup({ namespace, name, firstRunId, phase, user }: NamedJob, links: JobLinks): Markup {
  const file = links.get(firstRunId);
  const about = [namespace, phase, ...(user === null ? [] : [user])].join(' · ');
  const named = html`${name}<span class="muted">@${firstRunId.slice(0, 8)}</span>`;
  return html`${file ? html`<a href="${file}">${named}</a>` : named}<br><span class="small muted">${about}</span>`;
}

const LARGEST = [
  { heading: 'Job' },
  { heading: 'Resource', late: true },
  { heading: 'Hours', is: 'number' },
  { heading: 'Productive', is: 'number' },
  { heading: 'Restarts', is: 'number', late: true },
] as const;

export function largestSection({ largest }: PeriodReport, links: JobLinks): PageSection {
  const currency = currencyOf(largest);
  const rows = largest.map((job) => [
    ...[
      jobMarkup(job, links),
      job.resource,
      hoursText(job.ms / HOUR_MS),
      partText(job.goodput),
      job.restarts,
    ],
    ...(currency === undefined ? [] : [moneyText(job.cost)]),
  ]);
  const columns = [...LARGEST, ...moneyColumn(currency)];
  return {
    ...{ id: 'largest', heading: 'Jobs that held most' },
    content: html`${tableOrNone('Jobs that held most', columns, rows)}
${links.size === 0 && rows.length > 0 && html`<p class="small muted"><code>signalbox report NAME@RUN -n NAMESPACE</code> writes the report of one of them.</p>`}`,
  };
}

const STARTS = [
  { heading: 'Job' },
  { heading: 'Submitted', is: 'time' },
  { heading: 'Until it ran', is: 'number' },
  { heading: 'Longest for' },
] as const;

export function startsSection({ starts }: PeriodReport, links: JobLinks): PageSection {
  const rows = starts.map((job) => [
    jobMarkup(job, links),
    timeText(job.submitted).replace(' UTC', ''),
    `${formatDuration(job.waitMs)}${job.hasRun ? '' : ', not run'}`,
    job.waitedFor === null
      ? 'not known'
      : html`${job.waitedFor}<br><span class="small muted">${sentenceOf(job.waitedFor)}</span>`,
  ]);
  return {
    ...{ id: 'starts', heading: 'Slowest starts' },
    content: tableOrNone('Jobs that waited longest until they ran, times in UTC', STARTS, rows),
  };
}
