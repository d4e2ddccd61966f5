import { jobUrl } from '../../contracts/console-address.ts';
import { html, type Markup, trusted } from '../../record/report/page/markup.ts';
import type { LogChoice, ShownLine } from '../live/log-feeds.ts';
import type { ViewedJob } from '../reading/job-views.ts';
import type { ConsolePage } from './layout.ts';
import { phaseMarkup, rolesOf } from './words.ts';

interface ShownLog {
  readonly lines: readonly ShownLine[];
  readonly problem: string | undefined;
}

/** The log of the pods that were chosen: the lines that there are, then each new one. */
export function logsPage(view: ViewedJob, choice: LogChoice, { lines, problem }: ShownLog): ConsolePage {
  const { place, data } = view;
  const { name, phase } = data.status;
  const query = queryOf(choice);
  const url = jobUrl(place, '/logs/events');
  return {
    title: `Log of ${name}`,
    isBroad: true,
    stream: { url: `${url}${url.includes('?') ? '&' : '?'}${query}`, after: lines.at(-1)?.id ?? 'none' },
    body: html`<h1>Log of <a href="${jobUrl(place)}">${name}</a> ${phaseMarkup(phase)}</h1>
${chooser(view, choice)}
${problem && html`<div class="notice" role="alert"><p>${problem}</p></div>`}
${lines.some(({ isEvidence }) => isEvidence) && html`<p class="small">The pods are gone: these are the last lines of those that failed.</p>`}
<label class="field" hidden>Only lines with <input type="search" id="search"></label>
<pre class="lines" id="lines" tabindex="0" role="log" aria-label="Log lines" data-kept${choice.all && trusted(' data-pods="yes"')}>${lines.map((line) => lineMarkup(line, choice))}</pre>
${lines.length === 0 && html`<p class="empty">No line yet.</p>`}
<p class="small muted">What looks like a secret is hidden.</p>`,
  };
}

const lineMarkup = ({ pod, text, isEvidence }: ShownLine, { all }: LogChoice): Markup =>
  html`<div>${(all || isEvidence) && html`<span class="muted">${pod} </span>`}${text}</div>`;

const queryOf = ({ role, index, all }: LogChoice) =>
  new URLSearchParams({
    ...(role === undefined ? {} : { role }),
    ...(index === undefined ? {} : { index: String(index) }),
    ...(all ? { all: 'yes' } : {}),
  }).toString();

/** Which pods: rank 0, all, or one of a role. */
function chooser({ place, data }: ViewedJob, { role, index, all }: LogChoice): Markup {
  const roles = rolesOf(data.status);
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value.toLowerCase() === (role ?? '').toLowerCase() && trusted(' selected')}>${text}</option>`;
  return html`<form class="filters" method="get" action="${jobUrl({ ...place, run: undefined }, '/logs')}" aria-label="Which pods">
${place.run && html`<input type="hidden" name="run" value="${place.run}">`}
<label class="field">Role<select name="role">${option('', 'the main pod')}${roles.map((one) => option(one, one))}</select></label>
<label class="field">Index<input name="index" inputmode="numeric" value="${index}" placeholder="all of the role"></label>
<label><input type="checkbox" name="all" value="yes"${all && trusted(' checked')}> all pods</label>
<button>Show</button></form>`;
}
