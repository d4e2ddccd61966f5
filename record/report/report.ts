import { hideSecrets } from '../../contracts/secrets/hide-secrets.ts';
import { visible } from '../../language/visible-text.ts';
import type { Charts } from './charts/chart.ts';
import { type ReportFacts, reportFactsOf } from './facts/job-facts.ts';
import { documentOf, type HtmlPage, type PageSection } from './page/document.ts';
import { html } from './page/markup.ts';
import { timeText } from './page/time-texts.ts';
import type { ReportData } from './report-data.ts';
import { attemptsSection } from './sections/attempts.ts';
import { failuresSection } from './sections/failures.ts';
import { head } from './sections/head.ts';
import { ledgerSection } from './sections/ledger.ts';
import { manifestSection } from './sections/manifest.ts';
import { progressSection } from './sections/progress.ts';
import { requestsSection } from './sections/requests.ts';
import { rulesSection } from './sections/rules.ts';
import { timeSection } from './sections/time-spent.ts';
import { timelineSection } from './sections/timeline.ts';
import { usesSection } from './sections/uses.ts';
import { waitsSection } from './sections/waits.ts';

/** The sections of a report, in order. */
const SECTIONS: readonly ((facts: ReportFacts, charts: Charts) => PageSection | undefined)[] = [
  timelineSection,
  progressSection,
  timeSection,
  usesSection,
  attemptsSection,
  failuresSection,
  waitsSection,
  requestsSection,
  rulesSection,
  manifestSection,
  ledgerSection,
];

/** Returns the report of a job: one HTML document that loads nothing. People send it around, so secrets are hidden. */
export const reportOf = (given: ReportData, charts: Charts): string =>
  documentOf(reportPartsOf(given, charts));

/** Returns what the document is made of, for pages that show more than a report. */
export function reportPartsOf(given: ReportData, charts: Charts): HtmlPage {
  const data = hideSecrets(given);
  const facts = reportFactsOf(data);
  const { kind, namespace, name, phase } = data.status;
  return {
    title: visible(`${name}: ${phase} · ${kind} ${namespace}/${name}`),
    head: head(facts),
    sections: SECTIONS.flatMap((section) => section(facts, charts) ?? []),
    foot: html`<p>Workflow <span class="mono">${data.workflowId}</span>, first run <span class="mono">${data.firstRunId}</span>. Read from <span class="mono">${data.readFrom}</span> on ${timeText(data.asOf)} by signalbox.</p>`,
  };
}
