import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface PageSection {
  readonly id: string;
  readonly heading: string;
  /** Shown beside the heading in the list of contents. */
  readonly count?: number;
  readonly content: Markup;
  /** Begins on a new page of paper. */
  readonly newPage?: boolean;
}

export interface HtmlPage {
  readonly title: string;
  readonly head: Markup;
  readonly sections: readonly PageSection[];
  readonly foot: Markup;
}

const hashOfScript = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and only this very style and script work: markup that slipped through could do nothing. */
const POLICY = `default-src 'none'; style-src ${hashOfScript(STYLE)}; script-src ${hashOfScript(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** Returns a whole HTML document. */
export const documentOf = ({ title, head, sections, foot }: HtmlPage): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>${head}</header>
${contentsOf(sections)}
<main id="content" tabindex="-1">
${sectionsOf(sections)}
</main>
<footer>${foot}</footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.text;

/** Links to the sections. */
export const contentsOf = (sections: readonly PageSection[]): Markup =>
  html`<nav aria-label="Contents"><ul>${sections.map(contentsItem)}</ul></nav>`;

export const sectionsOf = (sections: readonly PageSection[]): Markup => html`${sections.map(sectionOf)}`;

const contentsItem = ({ id, heading, count }: PageSection) =>
  html`<li><a href="#${id}">${heading}${count === undefined ? '' : ` (${count.toLocaleString('en')})`}</a></li>`;

const sectionOf = ({ id, heading, content, newPage }: PageSection) => html`
<section aria-labelledby="${id}"${trusted(newPage ? ' class="new-page"' : '')}>
<h2 id="${id}">${heading}</h2>
${content}
</section>`;
