import type { JobSummary } from '../../client/servers/summary.ts';
import type { JobDetails } from '../../client/use-cases/observe/job-details.ts';
import { jobUrl } from '../../contracts/console-address.ts';
import { FILTERS, type JobFilterName } from '../../contracts/filters.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { REASON_CODES } from '../../contracts/reasons.ts';
import { isFinal, PHASES } from '../../contracts/status.ts';
import { capitalised } from '../../language/capitalised.ts';
import { countText } from '../../language/count-text.ts';
import { html, type Markup, trusted } from '../../record/report/page/markup.ts';
import { sentenceOf } from '../../record/report/page/words.ts';
import type { ListedJob } from '../reading/archived-row.ts';
import type { JobList } from '../reading/job-lists.ts';
import type { KeptValue } from '../reading/kept.ts';
import { URL_FILTERS } from '../reading/url-filter.ts';
import type { ConsolePage } from './layout.ts';
import { agoText, asOfMarkup, phaseMarkup, sinceMarkup } from './words.ts';

interface Shown {
  readonly query: URLSearchParams;
  readonly kinds: readonly string[];
  /** In epoch milliseconds. */
  readonly now: number;
}

/** The list of jobs. The address has the filters, so it is the view that people keep and send. */
export function jobsPage({ value, at, error }: KeptValue<JobList>, shown: Shown): ConsolePage {
  const { query } = shown;
  return {
    title: 'Jobs',
    place: '/',
    isBroad: true,
    // `after` is what the browser heard last there.
    stream: {
      url: `/events?${withoutEmpty(query, { after: undefined, page: query.get('after') || undefined })}`,
      after: value.version,
    },
    body: html`<h1>Jobs</h1>
${filtersForm(shown)}
${asOfMarkup({ at, error })}
<div id="live">
${phaseChips(value, query)}
${value.jobs.length > 0 ? jobsTable(value, shown) : NOTHING_FOUND}
${value.archiveProblem && html`<p class="small muted">Jobs that only the archive has are not here. ${value.archiveProblem}</p>`}
${pagesMarkup(value, query)}
</div>`,
  };
}

const NOTHING_FOUND = html`<p class="empty">No job matches. <a href="/">Show all jobs</a></p>`;

function withoutEmpty(query: URLSearchParams, change: Readonly<Record<string, string | undefined>> = {}) {
  const given = [...query].filter(([name, value]) => value !== '' && !(name in change));
  const changed = Object.entries(change).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams([...given, ...changed]).toString();
}

/** Counts of the phases, each a link to its jobs. */
function phaseChips({ counts }: JobList, query: URLSearchParams): Markup {
  const asked = query.get('phase') ?? '';
  const chip = (text: string, phase: string | undefined, count?: number) => {
    const href = `/?${withoutEmpty(query, { phase, after: undefined })}`;
    const look = trusted(count === 0 ? ' class="is-none"' : '');
    return html`<li><a href="${href}"${look}${asked === (phase ?? '') && trusted(' aria-current="true"')}>${text}${count !== undefined && html` <b>${count.toLocaleString('en')}</b>`}</a></li>`;
  };
  const chips = PHASES.map((phase) =>
    chip(phase, phase, asked === '' || asked === phase ? (counts[phase] ?? 0) : undefined),
  );
  return html`<ul class="chips" aria-label="Jobs by phase">${chip('All', undefined)}${chips}</ul>`;
}

/** One field a filter of the table that `signalbox list` has, too. */
function filtersForm({ query, kinds }: Shown): Markup {
  const names = URL_FILTERS.filter((name) => FILTERS[name].takes !== 'phases');
  const [first, more] = [true, false].map((isFirst) =>
    names.filter((name) => FIRST_FILTERS.includes(name) === isFirst),
  );
  const field = (name: JobFilterName) => {
    const { takes, only } = FILTERS[name];
    const value = query.get(name) ?? '';
    const hint = HINTS[takes] ?? '';
    const options = takes === 'kind' ? kinds : takes === 'reason' ? REASON_CODES : undefined;
    return html`<label class="field" title="Only jobs ${only}">${capitalised(WORDS[name] ?? name)}
${options ? selectMarkup(name, options, value) : html`<input name="${name}" value="${value}" placeholder="${hint}" autocomplete="off">`}</label>`;
  };
  const isOpen = more!.some((name) => query.get(name));
  return html`<form class="filters" method="get" action="/" role="search" aria-label="Filter jobs">${first!.map(field)}
<details${isOpen && trusted(' open')}><summary>More filters</summary><div class="filters">${more!.map(field)}</div></details>
${query.get('phase') && html`<input type="hidden" name="phase" value="${query.get('phase')}">`}
<button>Filter</button> <a href="/" class="small">Clear</a></form>`;
}

/** The others are folded. */
const FIRST_FILTERS: readonly JobFilterName[] = ['namespace', 'name', 'submittedBy'];

const WORDS: Readonly<Record<string, string>> = { submittedBy: 'submitted by' };
const HINTS: Readonly<Record<string, string>> = { labels: 'team=vision', time: '2h, 2026-11-01' };

const selectMarkup = (name: string, options: readonly string[], value: string) =>
  html`<select name="${name}"><option value="">any</option>${options.map((one) => html`<option${one.toLowerCase() === value.toLowerCase() && trusted(' selected')}>${one}</option>`)}</select>`;

const COLUMNS = ['Job', 'Phase', 'Why', 'Progress', 'GPUs', 'Attempt', 'Who', 'Since', 'Submitted'];

const jobsTable = (list: JobList, shown: Shown) =>
  html`<div class="scroll" role="group" aria-label="Jobs" tabindex="0"><table class="jobs"><caption>${countText(list.jobs.length, 'job')}, live ones first</caption>
<thead><tr>${COLUMNS.map((heading) => html`<th scope="col"${heading === 'GPUs' || heading === 'Attempt' ? trusted(' class="n"') : ''}>${heading}</th>`)}</tr></thead>
<tbody>${list.jobs.map((job) => rowOf(job, list, shown))}</tbody></table></div>`;

function rowOf(job: ListedJob, { details, signs }: JobList, { now }: Shown): Markup {
  const { namespace, name, kind, phase, attempt, submittedBy, startTime, endTime, workflowId, runId } = job;
  const { archived } = job;
  // An ended job may have the workflow id of a live one.
  const live = isFinal(phase) ? undefined : details.get(workflowId);
  const { gpus, restarts } = live ?? archived ?? {};
  const run = isFinal(phase) || workflowId !== workflowIdOf(job) ? runId.slice(0, RUN_LENGTH) : undefined;
  const since = isFinal(phase) ? endTime : live?.since;
  return html`<tr data-key="${workflowId} ${runId}"><th scope="row"><a href="${jobUrl({ namespace, name, run })}">${name}</a><br><span class="small muted">${namespace} · ${kind}${archived && ' · archived'}</span></th>
<td>${phaseMarkup(phase)}</td>
<td class="says">${whyMarkup(job, live?.cause)}</td>
<td data-is="Progress">${progressMarkup(live?.progress, live && signs.get(workflowId), now)}</td>
<td class="n" data-is="GPUs">${gpus || ''}</td>
<td class="n" data-is="Attempt">${attempt > 0 && attempt}${restarts ? html` <span class="small muted">${countText(restarts, 'restart')}</span>` : ''}</td>
<td data-is="Who">${submittedBy}</td>
<td class="t" data-is="Since">${since && sinceMarkup(since, now)}</td>
<td class="t" data-is="Submitted">${sinceMarkup(startTime, now)}</td></tr>
`;
}

/** So much of a run id names it among the jobs of a name. */
const RUN_LENGTH = 13;

/** The first reason, in a sentence; what the engine says beside it is of this very job, unless that is of a reason before. */
function whyMarkup({ reason, errorLine }: JobSummary, cause: JobDetails['cause']): Markup | undefined {
  if (!reason) return undefined;
  const message = cause?.reason === reason && cause.message;
  return html`${sentenceOf(reason)}${errorLine && html`<br><code class="small">${errorLine}</code>`}<br><span class="small muted">${reason}${message && html`: ${message.slice(0, MOST_WORDS)}`}</span>`;
}

const MOST_WORDS = 240;

type Signs = JobList['signs'] extends ReadonlyMap<string, infer T> ? T : never;

function progressMarkup(
  progress: string | undefined,
  signs: Signs | undefined,
  now: number,
): Markup | undefined {
  const { steps, silence } = signs ?? {};
  const step = steps?.step ?? steps?.epoch;
  const place =
    step === undefined ? progress : `step ${step}${steps?.total === undefined ? '' : ` of ${steps.total}`}`;
  const age = steps?.at && html` <span class="small muted">${agoText(steps.at, now)} ago</span>`;
  const late = steps?.isLate || silence;
  if (place === undefined && !late) return undefined;
  return html`${place?.slice(0, MOST_WORDS)}${age}${late && html` <span class="tag bad">${steps?.isLate ? 'late' : 'silent'}</span>`}`;
}

function pagesMarkup({ next }: JobList, query: URLSearchParams): Markup | undefined {
  const isFirst = !query.get('after');
  if (!next && isFirst) return undefined;
  return html`<p>${!isFirst && html`<a class="button" href="/?${withoutEmpty(query, { after: undefined })}">First page</a> `}${next && html`<a class="button" href="/?${withoutEmpty(query, { after: next })}">Next page</a>`}</p>`;
}
