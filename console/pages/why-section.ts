import { logFields } from '../../contracts/log-words.ts';
import type { ShapePlacement, WaitReason, WhyAnswer } from '../../contracts/types.ts';
import {
  excludedTexts,
  fitText,
  heldByText,
  nodeClassText,
  placementText,
  shortTexts,
  sparesText,
  WHO_CAN_CHANGE,
  waitedTexts,
} from '../../explain/why-words.ts';
import { capitalised } from '../../language/capitalised.ts';
import type { PageSection } from '../../record/report/page/document.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { tableMarkup } from '../../record/report/page/table.ts';
import { timeText } from '../../record/report/page/time-texts.ts';

/** What `signalbox why` says, node by node. */
export const whySection = (answer: WhyAnswer): PageSection => ({
  ...{ id: 'why', heading: 'Why', content: whyMarkup(answer) },
});

export function whyMarkup(answer: WhyAnswer): Markup {
  const { reasons, placements, spares, explanation, warnings = [], notes = [], unknown } = answer;
  const { errorLine, advice } = answer;
  const waited = waitedTexts(answer);
  return html`${reasons.length === 0 && html`<p>${explanation?.sentence ?? fitText(answer)}</p>`}
${errorLine && html`<p><code>${errorLine}</code></p>`}
${advice && html`<p>${advice}</p>`}
${reasons.map(reasonMarkup)}
${logFields(answer).map(([name, text]) => html`<p class="small">${capitalised(name)}: ${text}</p>`)}
${spares && html`<p class="small">Spares: ${sparesText(spares)}. ${spares.said}</p>`}
${waited.length > 0 && html`<p class="small">It waited ${waited.join('; ')}.</p>`}
${warnings.map((warning) => html`<p class="small">Warning: ${warning}</p>`)}
${notes.map((note) => html`<p class="small">${note}</p>`)}
${unknown.map((what) => html`<p class="small muted">Unknown: ${what}</p>`)}
${placements.map((placement) => placementMarkup(placement, answer))}`;
}

const reasonMarkup = ({ code, sentence, who, since, said, remedy, heldBy }: WaitReason) =>
  html`<article class="card"><h3>${sentence}</h3>
<p class="small muted">${code}${since && html`, since ${timeText(since)}`}</p>
${said && html`<p>${said}</p>`}
<dl class="pairs">${remedy && html`<dt>What to do</dt><dd>${remedy}</dd>`}
<dt>Change</dt><dd>${capitalised(WHO_CAN_CHANGE[who])}</dd>
${heldBy && heldBy.length > 0 && html`<dt>Held by</dt><dd>${heldByText({ heldBy })}</dd>`}</dl></article>`;

function placementMarkup(placement: ShapePlacement, answer: WhyAnswer): Markup {
  const rows = placement.classes.map((one) => [nodeClassText(one), one.nodes, one.examples.join(', ')]);
  const more = [...excludedTexts(placement, answer), ...shortTexts(placement)];
  const caption = capitalised(placementText(placement, answer));
  return html`${tableMarkup(caption, COLUMNS, rows)}
${more.length > 0 && html`<ul class="small">${more.map((text) => html`<li>${text}</li>`)}</ul>`}`;
}

const COLUMNS = [
  { heading: 'Nodes' },
  { heading: 'How many', is: 'number' },
  { heading: 'For example' },
] as const;
