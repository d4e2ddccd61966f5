import { jobUrl } from '../../contracts/console-address.ts';
import type { LaneAnswer, LaneJob, LanesAnswer } from '../../contracts/types.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { tableMarkup } from '../../record/report/page/table.ts';
import { timeText } from '../../record/report/page/time-texts.ts';
import { freeGpusOf, type GpuHolder, type NodeGpus } from '../reading/gpu-map.ts';
import type { KeptValue } from '../reading/kept.ts';
import type { ConsolePage } from './layout.ts';
import { problemMarkup } from './problem-page.ts';
import { asOfMarkup, sinceMarkup } from './words.ts';

interface ShownQueues {
  readonly nodes: KeptValue<readonly NodeGpus[]> | { readonly error: unknown };
  /** Absent without lanes. */
  readonly lanes?: KeptValue<LanesAnswer> | { readonly error: unknown };
  /** Whether this person may know the jobs of a namespace. */
  readonly knows: (namespace: string) => boolean;
  readonly now: number;
}

/** What runs, what waits in which order, and whose GPUs are whose. */
export function waitingPage(shown: ShownQueues): ConsolePage {
  const { nodes, lanes } = shown;
  return {
    title: 'Waiting',
    place: '/waiting',
    isBroad: true,
    body: html`<h1>What waits, and for what</h1>
<p><a href="/?phase=Pending">Jobs that are pending</a>, with the first reason of each.</p>
${lanes && html`<h2>Lanes</h2>${'value' in lanes ? lanesMarkup(lanes, shown) : problemMarkup(lanes.error)}`}
<h2>GPUs by node</h2>
${'value' in nodes ? nodesMarkup(nodes, shown) : problemMarkup(nodes.error)}`,
  };
}

function lanesMarkup(
  { value: { lanes, unknown }, at, error }: KeptValue<LanesAnswer>,
  shown: ShownQueues,
): Markup {
  const rows = lanes.map((lane) => [
    lane.lane,
    lane.pool,
    lane.why ? `${lane.state}: ${lane.why}` : lane.state,
    amountsText(lane.used),
    amountsText(lane.share),
    amountsText(lane.borrowed),
    lane.running.length,
    lane.waiting.length,
    lane.nextStart === undefined ? '' : timeText(lane.nextStart),
  ]);
  return html`${asOfMarkup({ at, error })}${tableMarkup('Lanes', LANE_COLUMNS, rows)}
${lanes.map((lane) => laneMarkup(lane, shown))}
${unknown.map((what) => html`<p class="small muted">Unknown: ${what}</p>`)}`;
}

const LANE_COLUMNS = [
  ...['Lane', 'Pool', 'State', 'Used', 'Share', 'Borrowed'].map((heading) => ({ heading })),
  { heading: 'Running', is: 'number' },
  { heading: 'Waiting', is: 'number' },
  { heading: 'Next start', is: 'time' },
] as const;

function laneMarkup({ lane, running, waiting }: LaneAnswer, { knows, now }: ShownQueues): Markup | undefined {
  const named = ({ namespace, name }: LaneJob) =>
    knows(namespace)
      ? html`<a href="${jobUrl({ namespace, name })}">${namespace}/${name}</a>`
      : html`<span class="muted">a job of others</span>`;
  const row = (job: LaneJob, place: string, says: string) =>
    [named(job), place, job.priority, amountsText(job.needs), sinceMarkup(job.since, now), says] as const;
  const rows = [
    ...running.map((job) => row(job, 'runs', job.ends === undefined ? '' : `ends by ${timeText(job.ends)}`)),
    ...waiting.map((job) =>
      row(job, String(job.position ?? '-'), knows(job.namespace) ? (job.message ?? '') : ''),
    ),
  ];
  const columns = ['Job', 'Place', 'Priority', 'Needs', 'Since', 'Why'].map((heading) => ({ heading }));
  return rows.length > 0
    ? html`<h3>${lane}</h3>${tableMarkup(`Jobs of lane ${lane}`, columns, rows)}`
    : undefined;
}

const amountsText = (amounts: Readonly<Record<string, string>>) =>
  Object.entries(amounts)
    .map(([resource, amount]) => `${amount} ${resource}`)
    .join(', ');

/** A square is a GPU; more of a node than this are numbers alone. */
const MOST_SQUARES = 64;

function nodesMarkup(
  { value: nodes, at, error }: KeptValue<readonly NodeGpus[]>,
  shown: ShownQueues,
): Markup {
  if (nodes.length === 0) return html`<p class="empty">No node has GPUs.</p>`;
  const all = nodes.reduce((sum, { gpus }) => sum + gpus, 0);
  const free = nodes.reduce((sum, node) => sum + freeGpusOf(node), 0);
  const idle = nodes
    .flatMap(({ holders }) => holders)
    .filter(({ job, isRunning }) => job !== undefined && !isRunning);
  const held = idle.reduce((sum, { gpus }) => sum + gpus, 0);
  return html`${asOfMarkup({ at, error })}
<p>${all} GPUs: ${free} free${held > 0 && html`, <b>${held} held by gangs that do not run</b>`}.</p>
<ul class="legend"><li>${squares('is-running', 1)}used</li><li>${squares('is-held', 1)}held by a gang that does not run</li><li>${squares('is-other', 1)}by a pod of no job</li><li>${squares('', 1)}free</li></ul>
<ul class="nodes">${nodes.map((node) => nodeMarkup(node, shown))}</ul>`;
}

function nodeMarkup(node: NodeGpus, { knows }: ShownQueues): Markup {
  const { node: name, gpus, holders } = node;
  const free = freeGpusOf(node);
  return html`<li><b>${name}</b> <span class="small muted">${free} of ${gpus} free</span>
${gpus <= MOST_SQUARES && html`<ul class="gpus" aria-hidden="true">${holders.map((holder) => squareItems(lookOf(holder), holder.gpus))}${squareItems('', Math.max(0, free))}</ul>`}
${holders.map((holder) => html`<div class="small">${holderMarkup(holder, knows)} <span class="muted">${holder.gpus}${holder.job !== undefined && !holder.isRunning && ', does not run'}</span></div>`)}</li>`;
}

const lookOf = ({ job, isRunning }: GpuHolder) =>
  job === undefined ? 'is-other' : isRunning ? 'is-running' : 'is-held';

const squareItems = (look: string, count: number) =>
  Array.from({ length: count }, () => html`<li class="${look}"></li>`);

const squares = (look: string, count: number) =>
  html`<span class="gpus" aria-hidden="true">${Array.from({ length: count }, () => html`<i class="${look}"></i>`)}</span>`;

function holderMarkup({ namespace, job }: GpuHolder, knows: ShownQueues['knows']): Markup {
  if (!knows(namespace)) return html`<span class="muted">others</span>`;
  return job === undefined
    ? html`${namespace}`
    : html`<a href="${jobUrl({ namespace, name: job })}">${namespace}/${job}</a>`;
}
