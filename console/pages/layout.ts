import { html, type Markup, trusted } from '../../record/report/page/markup.ts';
import { ASSETS } from '../browser/assets.ts';
import { HTML, type WebAnswer } from '../http/answer.ts';
import { pagePolicy } from '../http/page-policy.ts';

/** What every page knows: who looks, and where. */
export interface Viewer {
  readonly name: string;
  /** Of the page's forms. */
  readonly token: string;
  readonly isReadOnly: boolean;
  /** Whether there is a session to end. */
  readonly canSignOut: boolean;
  /** Headers that the answer needs, e.g. a cookie. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ConsolePage {
  readonly title: string;
  readonly status?: number;
  /** Which of the links at the top is this page. */
  readonly place?: string;
  /** As wide as a list needs. */
  readonly isBroad?: boolean;
  readonly body: Markup;
  /** The address of a stream of what happens, after which the page is loaded again. */
  readonly stream?: { readonly url: string; readonly after?: string | number };
}

const LINKS = [
  ['/', 'Jobs'],
  ['/waiting', 'Waiting'],
  ['/compare', 'Compare'],
  ['/team', 'Team'],
] as const;

/** Returns a whole page of the console. */
export function pageAnswer(page: ConsolePage, viewer: Viewer): WebAnswer {
  const { nonce, headers } = pagePolicy();
  const { title, status = 200, body, stream, isBroad } = page;
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · signalbox</title>
<link rel="stylesheet" href="${ASSETS.style}" nonce="${nonce}">
<script src="${ASSETS.script}" nonce="${nonce}" defer></script>
</head>
<body${isBroad && trusted(' class="broad"')}${stream && html` data-stream="${stream.url}" data-after="${stream.after}"`}>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><b>signalbox</b>
<nav aria-label="Console"><ul>${linksOf(page, viewer)}</ul></nav>
<span class="now" id="now" role="status"></span>${personMarkup(viewer)}</header>
<main id="content" tabindex="-1">
${body}
</main>
<footer><p>Times are UTC. Keys: <kbd>/</kbd> filter, <kbd>j</kbd> <kbd>k</kbd> rows, <kbd>Enter</kbd> open, <kbd>g</kbd> jobs, <kbd>?</kbd> help.</p></footer>
<div class="toast" id="said" role="status" aria-live="polite"></div>
${KEYS}
</body>
</html>
`;
  return { status, type: HTML, body: markup.text, headers: { ...headers, ...viewer.headers } };
}

function linksOf({ place }: ConsolePage, { isReadOnly }: Viewer): Markup[] {
  const links = isReadOnly ? LINKS : [...LINKS, ['/submit', 'Submit'] as const];
  return links.map(
    ([href, text]) =>
      html`<li><a href="${href}"${href === place && trusted(' aria-current="page"')}>${text}</a></li>`,
  );
}

const personMarkup = ({ name, canSignOut, token }: Viewer) =>
  html`<span class="small muted">${name}</span>${canSignOut && html`<form method="post" action="/sign-out">${tokenField(token)}<button>Sign out</button></form>`}`;

/** Every form that changes something has it. */
export const tokenField = (token: string): Markup =>
  html`<input type="hidden" name="token" value="${token}">`;

const KEYS = html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl class="pairs"><dt><kbd>/</kbd></dt><dd>to the filter</dd><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous row</dd><dt><kbd>Enter</kbd></dt><dd>open it</dd><dt><kbd>g</kbd></dt><dd>to the jobs</dd><dt><kbd>?</kbd></dt><dd>this help</dd></dl>
<p><label><input type="checkbox" id="keys-on"> Single letters are keys</label></p>
<form method="dialog"><button>Close</button></form></dialog>`;
