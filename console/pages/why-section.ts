import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import type { Who } from '../../contracts/reasons.ts';
import type { ShapePlacement, WaitReason, WhyAnswer } from '../../contracts/types.ts';
import { countText } from '../../language/count-text.ts';
import { formatDuration } from '../../language/duration.ts';
import type { PageSection } from '../../record/report/page/document.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { tableMarkup } from '../../record/report/page/table.ts';
import { timeText } from '../../record/report/page/time-texts.ts';

/** What `signalbox why` says, node by node. */
export function whySection(answer: WhyAnswer): PageSection {
  return { id: 'why', heading: 'Why', content: whyMarkup(answer) };
}

export function whyMarkup({
  reasons,
  fits,
  placements,
  waited = [],
  notes = [],
  warnings = [],
  unknown,
}: WhyAnswer): Markup {
  return html`${reasons.length === 0 && html`<p>${NOTHING[fits ?? 'unknown']}</p>`}
${reasons.map(reasonMarkup)}
${placements.map(placementMarkup)}
${waited.length > 0 && html`<p class="small">So far it waited ${waited.map(({ reason, seconds, times }, index) => html`${index > 0 && ', '}${formatDuration(seconds * 1_000)} for ${reason}${times > 1 && ` (${times} times)`}`)}.</p>`}
${[...warnings, ...notes].map((note) => html`<p class="small">${note}</p>`)}
${unknown.map((what) => html`<p class="small muted">Unknown: ${what}</p>`)}`;
}

const NOTHING = {
  yes: 'Nothing keeps it from running: its pods find room.',
  no: 'Nothing is found that would keep it waiting.',
  unknown: 'Nothing is found that would keep it waiting; whether its pods find room is not known.',
} as const;

const WHO: Readonly<Record<Who, string>> = {
  you: 'You can change it.',
  administrator: 'An administrator of the cluster can change it.',
  either: 'You or an administrator of the cluster can change it.',
  nobody: 'It passes by itself.',
  unknown: 'Who can change it is not computed.',
};

const reasonMarkup = ({ code, sentence, who, since, said, remedy, heldBy = [] }: WaitReason) =>
  html`<article class="card"><h3>${sentence}</h3>
<p class="small muted">${code}. ${WHO[who]}${since && html` Since ${timeText(since)}.`}</p>
${said && html`<p>${said}</p>`}
${remedy && html`<p><b>What to do:</b> ${remedy}</p>`}
${heldBy.length > 0 && html`<p class="small">Held by ${heldBy.map(({ who: holder, amount }, index) => html`${index > 0 && ', '}${holder} (${amount})`)}</p>`}</article>`;

function placementMarkup({
  roles,
  pods,
  requests,
  room,
  isExact,
  nodes,
  classes,
  short,
}: ShapePlacement): Markup {
  const { pods: _one, ...each } = requests;
  const wants = Object.entries(each).map(([resource, amount]) => `${amount} ${resource}`);
  const found = room === undefined ? '' : `: room for ${room}${isExact ? '' : ' at most'}`;
  const caption = `${countText(pods, 'pod')} of ${roles.join(', ')}${wants.length > 0 ? `, each ${wants.join(', ')}` : ''}${found}, of ${countText(nodes, 'node')}`;
  const rows = classes.map(({ class: name, detail, nodes: count, examples }) => [
    `${NODE_CLASSES[name]}${detail ? ` (${detail})` : ''}`,
    count,
    examples.join(', '),
  ]);
  return html`${tableMarkup(caption, [{ heading: 'Nodes that' }, { heading: 'Nodes', is: 'number' }, { heading: 'For example' }], rows)}
${short.length > 0 && html`<ul class="small">${short.slice(0, 5).map((one) => html`<li>${one.node}: ${one.free} of its ${one.total} ${one.resource} free, a pod needs ${one.needs}</li>`)}</ul>`}`;
}
