import { isGpu } from '../../../contracts/gpus.ts';
import { countText } from '../../../language/count-text.ts';
import { visible } from '../../../language/visible-text.ts';
import { moneyText } from '../../uses/money-text.ts';
import { partText } from '../../uses/use-sums.ts';
import { html, type Markup } from '../page/markup.ts';
import { fact, HOUR_MS, hoursText, missingMarkup } from '../sections/head.ts';
import type { PeriodReport } from './period-report.ts';

export const periodTitle = (report: PeriodReport): string => visible(`${whose(report)}, ${daysText(report)}`);

/** What a reader must know first: how much, what it cost, how much of it was of use, how jobs ended. */
export function periodHead(report: PeriodReport): Markup {
  return html`<p class="kind">What jobs held, and what became of it</p>
<h1>${whose(report)} <span class="small muted">${daysText(report)}</span></h1>
${missingMarkup(report.missing)}
<dl class="facts">${factsOf(report)}</dl>`;
}

const whose = ({ namespace }: PeriodReport): string =>
  namespace === null ? 'All namespaces' : `Namespace ${namespace}`;

/** The last day, not the first one after it, as people say it. */
function daysText({ since, until }: PeriodReport): string {
  const last = until === null ? 'now' : dayBefore(until);
  return since === null ? `until ${last}` : `${since} to ${last}`;
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(day) - 24 * HOUR_MS).toISOString().slice(0, 10);

function factsOf({ resources, jobs }: PeriodReport): Markup[] {
  const { completed, failed, stopped, live, successRate } = jobs;
  const priced = resources.filter(({ cost }) => cost);
  return [
    ...resources
      .filter(({ resource }) => isGpu(resource))
      .flatMap(({ resource, ms, goodput }) => [
        fact(`Hours of ${resource}`, hoursText(ms / HOUR_MS)),
        fact('Of these, productive', partText(goodput)),
      ]),
    ...priced.map(({ resource, cost }) => fact(`Cost of ${resource}`, moneyText(cost), cost?.currency)),
    fact(
      'Success rate',
      successRate === null ? 'not known' : `${(100 * successRate).toFixed(0)} %`,
      `${completed} completed, ${failed} failed, ${stopped} stopped`,
    ),
    ...(live > 0 ? [fact('Not ended yet', countText(live, 'job'))] : []),
  ];
}
