import { html } from '../../record/report/page/markup.ts';
import type { Identity } from '../identity/person.ts';
import { type ConsolePage, tokenField } from './layout.ts';

/** For somebody who is not known. */
export function signInPage(
  { remedy, signIn, elsewhere }: Identity,
  { token, to, wrong }: { readonly token: string; readonly to: string; readonly wrong: boolean },
): ConsolePage {
  return {
    title: 'Sign in',
    status: 401,
    body: html`<h1>Sign in</h1>
${wrong && html`<div class="wrong" role="alert"><p>The cluster does not know this token.</p></div>`}
<p>${remedy}</p>
${elsewhere && html`<p><a class="main" href="/sign-in/start?to=${encodeURIComponent(to)}">Sign in</a></p>`}
${
  signIn &&
  html`<form class="card" method="post" action="/sign-in">${tokenField(token)}<input type="hidden" name="to" value="${to}">
<label class="field">Token of the cluster<input type="password" name="bearer" required autocomplete="off"></label>
<p><button class="main">Sign in</button></p></form>`
}`,
  };
}
