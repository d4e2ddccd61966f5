import { REQUESTS } from '../../client/handles/interventions.ts';
import { jobUrl } from '../../contracts/console-address.ts';
import { errorText } from '../../contracts/error-text.ts';
import { isFinal } from '../../contracts/status.ts';
import type { WhyAnswer } from '../../contracts/types.ts';
import { capitalised } from '../../language/capitalised.ts';
import { contentsOf, type PageSection, sectionsOf } from '../../record/report/page/document.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import type { ViewedJob } from '../reading/job-views.ts';
import type { KeptValue } from '../reading/kept.ts';
import type { ConsolePage } from './layout.ts';
import { whySection } from './why-section.ts';
import { asOfMarkup, sinceMarkup } from './words.ts';

interface Shown {
  readonly why: WhyAnswer | undefined;
  readonly now: number;
  readonly temporalUi?: string;
  readonly temporalNamespace: string;
  /** What was just asked for. */
  readonly told?: string;
  /** Of the requests, which this person may make. */
  readonly may: (command: string) => boolean;
}

/** All that is known of a job: what it does and waits for now, then the sections of its report. */
export function jobPage({ value: view, at, error }: KeptValue<ViewedJob>, shown: Shown): ConsolePage {
  const { place, report, seq, data } = view;
  const hasEnded = isFinal(data.status.phase);
  const sections: readonly PageSection[] = [
    ...(shown.why ? [whySection(shown.why)] : []),
    ...report.sections,
  ];
  return {
    title: report.title,
    stream: hasEnded ? undefined : { url: jobUrl(place, '/events'), after: seq },
    body: html`${asOfMarkup({ at, error })}
${view.isArchived && html`<p class="small muted">Temporal no longer has this job: it is read from the archive.</p>`}
${shown.told && html`<div class="told" role="status"><p>${shown.told}</p></div>`}
<div id="live">
<div class="head">${report.head}</div>
${nowMarkup(view, shown)}
${actionsMarkup(view, shown)}
${linksMarkup(view, shown)}
${contentsOf(sections)}
${sectionsOf(sections)}
<p class="small muted">${report.foot}</p>
</div>`,
  };
}

/** What it does now, and what a person can do about it. */
function nowMarkup({ explanation, data }: ViewedJob, { now, why }: Shown): Markup {
  // One moment for both parts of the page: the job may have gone on between the two questions.
  const { sentence, details, since, remedy, pod, node } = why?.explanation ?? explanation;
  const { progress, wanted, avoided, warnings, cause, advice } = data.status;
  const pairs: readonly (readonly [string, Markup | string | undefined])[] = [
    ['Now', html`${sentence}${since && html` <span class="muted">for ${sinceMarkup(since, now)}</span>`}`],
    ['Details', details],
    ['Error', cause && errorText(cause)],
    ['Where', [pod, node && `on ${node}`].filter(Boolean).join(' ') || undefined],
    ['What to do', remedy],
    ['Advice', advice?.sentence],
    ['Progress', progress],
    [
      'Replicas',
      wanted &&
        Object.entries(wanted)
          .map(([role, count]) => `${role} ${count}`)
          .join(', '),
    ],
    ['Avoided nodes', avoided && Object.keys(avoided).join(', ')],
    ...warnings.map((warning) => ['Warning', warning] as const),
  ];
  const shown = pairs.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="pairs">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Each leads to a page that says what it will do, and asks why. */
function actionsMarkup({ place, data }: ViewedJob, { may }: Shown): Markup | undefined {
  const { phase } = data.status;
  const live = Object.values(REQUESTS)
    .filter(({ isFor }) => isFor?.(phase) ?? true)
    .map(({ command }) => command);
  const commands = (isFinal(phase) ? ['rerun'] : [...live, 'rerun']).filter(may);
  if (commands.length === 0) return undefined;
  return html`<ul class="actions" aria-label="What you can do">${commands.map(
    (command) =>
      html`<li><a class="button" href="${jobUrl(place, `/do/${command}`)}">${capitalised(command.replaceAll('-', ' '))}</a></li>`,
  )}</ul>`;
}

function linksMarkup(
  { place, summary, data, isArchived }: ViewedJob,
  { temporalUi, temporalNamespace }: Shown,
): Markup {
  const path = `/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${encodeURIComponent(data.workflowId)}/${summary.runId}/history`;
  return html`<p class="small"><a href="${jobUrl(place, '/logs')}">Logs</a> · <a href="${jobUrl(place, '/report')}">Report as a file</a> · <a href="/compare?a=${encodeURIComponent(`${place.namespace}/${place.name}`)}&amp;b=${encodeURIComponent(`${place.namespace}/${place.name}@-1`)}">Compare with the one before</a>${temporalUi !== undefined && !isArchived && html` · <a href="${temporalUi}${path}" rel="noreferrer">Temporal’s UI</a>`}</p>`;
}
