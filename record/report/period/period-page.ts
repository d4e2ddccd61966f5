import { hideSecrets } from '../../../contracts/secrets/hide-secrets.ts';
import { documentOf, type HtmlPage, type PageSection } from '../page/document.ts';
import { html } from '../page/markup.ts';
import { timeText } from '../page/time-texts.ts';
import { nodesSection, reasonsSection, restartsSection } from './faults.ts';
import { periodHead, periodTitle } from './head.ts';
import { type JobLinks, largestSection, startsSection } from './jobs.ts';
import { paidSection, usersSection } from './paid.ts';
import type { PeriodReport } from './period-report.ts';

/** The sections of the page, in order. */
const SECTIONS: readonly ((report: PeriodReport, links: JobLinks) => PageSection)[] = [
  paidSection,
  usersSection,
  largestSection,
  startsSection,
  reasonsSection,
  restartsSection,
  nodesSection,
];

/** Returns the report as one HTML document that loads nothing. `links` are the files with reports of its jobs, if there are any. */
export const periodPageOf = (given: PeriodReport, links: JobLinks = new Map()): string =>
  documentOf(periodPartsOf(given, links));

/** Returns what the document is made of. */
export function periodPartsOf(given: PeriodReport, links: JobLinks): HtmlPage {
  const report = hideSecrets(given);
  return {
    title: periodTitle(report),
    head: periodHead(report),
    sections: SECTIONS.map((section) => section(report, links)),
    foot: html`<p>Read from ${report.readFrom.map((from, index) => html`${index > 0 && ' and '}<span class="mono">${from}</span>`)} on ${timeText(report.asOf)} by signalbox. Days are in UTC. Hours count each device: two for an hour make two.</p>`,
  };
}
