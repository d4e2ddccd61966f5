import type { RequestField, RequestKind } from '../../client/handles/interventions.ts';
import { jobUrl } from '../../contracts/console-address.ts';
import { capitalised } from '../../language/capitalised.ts';
import { html, type Markup, trusted } from '../../record/report/page/markup.ts';
import type { ViewedJob } from '../reading/job-views.ts';
import { type ConsolePage, tokenField } from './layout.ts';
import { problemMarkup } from './problem-page.ts';
import { phaseMarkup, rolesOf } from './words.ts';

/** What a form was sent with, and why it was not accepted. */
export interface SentForm {
  readonly form?: URLSearchParams;
  readonly error?: unknown;
  readonly status?: number;
}

/** Of a request that every job has, and of `rerun`, which makes another job. */
export type ActionKind = Pick<RequestKind, 'command' | 'description' | 'help' | 'fields' | 'isFinal'>;

/** Says what a request will do, and asks why. Each is a page, so it needs no script and can be linked. */
export function actionPage(
  view: ViewedJob,
  kind: ActionKind,
  { token, form, error, status }: SentForm & { readonly token: string },
): ConsolePage {
  const { place, data } = view;
  const { namespace, name, phase } = data.status;
  const title = capitalised(kind.command.replaceAll('-', ' '));
  const roles = rolesOf(data.status);
  return {
    title: `${title} ${name}`,
    status,
    body: html`<h1>${title} <a href="${jobUrl(place)}">${namespace}/${name}</a> ${phaseMarkup(phase)}</h1>
<p>This will ${kind.description}.</p>
${kind.help && html`<p class="small muted">${kind.help}</p>`}
${error !== undefined && problemMarkup(error)}
<form class="card" method="post" action="${jobUrl(place, `/do/${kind.command}`)}">${tokenField(token)}
${kind.fields.map((field) => fieldMarkup(field, roles, form?.get(field.name) ?? ''))}
<label class="field">Why (it is recorded with your name)<input name="why" required maxlength="1000" value="${form?.get('why')}" autocomplete="off"></label>
${kind.isFinal && html`<label class="field"><span>It cannot be taken back. Write the name of the job, <b>${name}</b>, to confirm</span><input name="confirm" required autocomplete="off"></label>`}
<p><button class="${kind.isFinal ? 'danger' : 'main'}">${title}</button> <a href="${jobUrl(place)}">Back</a></p></form>`,
  };
}

function fieldMarkup(
  { name, takes, label, example }: RequestField,
  roles: readonly string[],
  value: string,
): Markup {
  if (takes === 'switch')
    return html`<p><label><input type="checkbox" name="${name}" value="yes"${value && trusted(' checked')}> ${label}</label></p>`;
  const control =
    takes === 'role'
      ? html`<select name="${name}">${roles.map((role) => html`<option${role === value && trusted(' selected')}>${role}</option>`)}</select>`
      : takes === 'policy' || takes === 'edits'
        ? html`<textarea name="${name}" rows="5" placeholder="${example}">${value}</textarea>`
        : html`<input name="${name}" value="${value}" placeholder="${example}"${takes !== 'name' && trusted(' required')} autocomplete="off">`;
  return html`<label class="field">${label}${control}</label>`;
}
