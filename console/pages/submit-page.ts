import type { WhyAnswer } from '../../contracts/types.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { type ConsolePage, tokenField } from './layout.ts';
import { problemMarkup } from './problem-page.ts';
import { whyMarkup } from './why-section.ts';

export interface CheckedManifest {
  readonly error?: unknown;
  readonly warnings?: readonly string[];
  /** What it would wait for if it was submitted now. */
  readonly why?: WhyAnswer;
}

interface ShownForm {
  readonly token: string;
  readonly form: URLSearchParams;
  readonly checked?: CheckedManifest;
  readonly status?: number;
}

/** A manifest to submit: pasted, dropped or typed; checked by the same code as everywhere. */
export function submitPage({ token, form, checked, status }: ShownForm): ConsolePage {
  return {
    title: 'Submit',
    place: '/submit',
    status,
    body: html`<h1>Submit a job</h1>
<form method="post" action="/submit">${tokenField(token)}
<label class="field">Manifest, as YAML or JSON<textarea name="manifest" id="manifest" rows="22" spellcheck="false" required placeholder="apiVersion: kubeflow.org/v1&#10;kind: PyTorchJob">${form.get('manifest')}</textarea></label>
<p class="filters"><label class="field">Namespace, if it names none<input name="namespace" value="${form.get('namespace')}"></label>
<label class="field">Why (recorded)<input name="why" value="${form.get('why')}" maxlength="1000"></label></p>
<div id="checked" aria-live="polite">${checked && checkedMarkup(checked)}</div>
<p><button name="do" value="check">Check</button> <button class="main" name="do" value="submit">Submit</button></p></form>`,
  };
}

function checkedMarkup({ error, warnings = [], why }: CheckedManifest): Markup {
  if (error !== undefined) return problemMarkup(error);
  return html`<div class="told"><p>It is valid.</p></div>
${warnings.map((warning) => html`<p class="small">Warning: ${warning}</p>`)}
${why && html`<h2>Would it start now?</h2>${whyMarkup(why)}`}`;
}
