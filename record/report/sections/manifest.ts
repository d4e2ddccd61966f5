import { structuredPatch } from 'diff';
import type { ReportFacts } from '../facts/job-facts.ts';
import { type ManifestText, manifestTexts } from '../facts/manifest-texts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { timeText } from '../page/time-texts.ts';
import { whoMarkup } from '../page/words.ts';
import type { ReportedRevision } from '../report-data.ts';

/** The manifest as submitted, and what each revision changed. */
export function manifestSection({ data }: ReportFacts): PageSection {
  const texts = manifestTexts(data);
  const [submitted, ...amended] = texts;
  const content = submitted
    ? html`${amended.map((text, index) => revision(texts[index]!, text, data.revisions[index]!))}
<details><summary>Manifest as submitted</summary><pre><code>${submitted.text.trimEnd()}</code></pre></details>
<p class="small muted">What looks like a secret is hidden.</p>`
    : html`<p class="empty">The manifest could not be read.</p>`;
  return { id: 'manifest', heading: 'Manifest', count: Math.max(1, texts.length), content };
}

function revision(before: ManifestText, after: ManifestText, { at, who, why }: ReportedRevision): Markup {
  const { hunks } = structuredPatch('', '', before.text, after.text, '', '', { context: 3 });
  const changes = hunks.map(
    (hunk, index) =>
      html`${index > 0 && html`<span class="gap">…</span>`}${hunk.lines.filter((line) => !line.startsWith('\\')).map(lineMarkup)}`,
  );
  return html`<article class="card"><h3>Revision ${after.number}</h3>
<p class="small">${at && timeText(at)}${who && html`, ${whoMarkup(who)}`}${why && html`: ${why}`}</p>
${hunks.length > 0 ? html`<pre tabindex="0" role="group" aria-label="What revision ${after.number} changed">${changes}</pre>` : html`<p class="empty">Nothing that the manifest shows.</p>`}</article>`;
}

function lineMarkup(line: string): Markup {
  const text = line.slice(1);
  if (line.startsWith('+')) return html`<ins>${text}</ins>`;
  if (line.startsWith('-')) return html`<del>${text}</del>`;
  return html`<span class="same">${text}</span>`;
}
