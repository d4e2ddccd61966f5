import { jobUrl } from '../../contracts/console-address.ts';
import { contentsOf, sectionsOf } from '../../record/report/page/document.ts';
import { html } from '../../record/report/page/markup.ts';
import { periodPartsOf } from '../../record/report/period/period-page.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { KeptValue } from '../reading/kept.ts';
import type { ConsolePage } from './layout.ts';
import { asOfMarkup } from './words.ts';

interface ShownPeriod {
  readonly namespace: string;
  readonly since: string;
  readonly report?: KeptValue<PeriodReport>;
}

/** What a namespace held, and what became of it: the page of `signalbox report --since`. */
export function teamPage({ namespace, since, report }: ShownPeriod): ConsolePage {
  return {
    title: 'Team',
    place: '/team',
    body: html`<h1>A team’s days</h1>
<form class="filters" method="get" action="/team/report" aria-label="Which namespace and days">
<label class="field">Namespace<input name="namespace" value="${namespace}" placeholder="all"></label>
<label class="field">Since<input name="since" value="${since}" placeholder="30d, 2026-11-01"></label>
<button>Show</button></form>
${report && periodMarkup(report)}`,
  };
}

function periodMarkup({ value, ...kept }: KeptValue<PeriodReport>) {
  const links = new Map(
    [...value.largest, ...value.starts].map(({ namespace, name, firstRunId }) => [
      firstRunId,
      jobUrl({ namespace, name, run: firstRunId }),
    ]),
  );
  const { head, sections, foot } = periodPartsOf(value, links);
  return html`${asOfMarkup(kept)}<div class="head">${head}</div>
${contentsOf(sections)}
${sectionsOf(sections)}
<div class="small muted">${foot}</div>`;
}
