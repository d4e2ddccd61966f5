import { errorText } from '../../../contracts/error-text.ts';
import { isGpu } from '../../../contracts/gpus.ts';
import { parentText } from '../../../contracts/parent-job.ts';
import type { Prices } from '../../../contracts/schemas/prices.ts';
import { isFinal } from '../../../contracts/status.ts';
import { tookMs } from '../../../contracts/took.ts';
import { countText } from '../../../language/count-text.ts';
import { formatDuration } from '../../../language/duration.ts';
import type { DeviceUse } from '../../uses/job-uses.ts';
import { moneyText } from '../../uses/money-text.ts';
import { costDataOf } from '../../uses/priced-sums.ts';
import { countFailedPods } from '../facts/failure-groups.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import { html, type Markup } from '../page/markup.ts';
import { timeText } from '../page/time-texts.ts';
import { lookOf, whoMarkup } from '../page/words.ts';

/** What a reader must know first: which job, how it ended and why, who wanted it, how long it took. */
export function head(facts: ReportFacts): Markup {
  const { status, missing } = facts.data;
  return html`<p class="kind">${status.kind} in namespace ${status.namespace}</p>
<h1>${status.name} ${outcome(facts)}</h1>
${verdict(facts)}
${missingMarkup(missing)}
<dl class="pairs">${origin(facts)}</dl>
<dl class="facts">${keyFacts(facts)}</dl>`;
}

export const missingMarkup = (missing: readonly string[]): Markup | undefined =>
  missing.length > 0
    ? html`<div class="notice"><p>This report is not complete:</p>${missing.map((one) => html`<p>${one}</p>`)}</div>`
    : undefined;

function outcome({ data, hasEnded }: ReportFacts): Markup {
  const { status, closed } = data;
  const how = closed && CLOSED[closed.how];
  const word = how && !isFinal(status.phase) ? how : status.phase;
  return html`<span class="outcome ${lookOf(word)}">${word}${!hasEnded && html` <span class="small">as of ${timeText(data.asOf)}</span>`}</span>`;
}

const CLOSED: Readonly<Record<string, string>> = { Terminated: 'Terminated', TimedOut: 'Timed out' };

/** A job that has succeeded has no cause; what the ledger says of its last state is one. */
function verdict({ data }: ReportFacts): Markup | undefined {
  const { cause, advice } = data.status;
  const last =
    data.entries.find(({ phase }) => isFinal(phase)) ?? data.entries.findLast(({ from, to }) => from !== to);
  const message = cause?.message ?? last?.message;
  const rule = cause?.rule ?? last?.rule;
  if (!message) return undefined;
  const error = cause && errorText(cause);
  return html`<p class="verdict">${message}</p>
${error && html`<p><code>${error}</code></p>`}
${advice && html`<p>${advice.sentence}</p>`}
<p class="small muted">${cause?.reason}${cause?.reason && rule && ' · '}${rule && html`decided by <code>${rule}</code>`}</p>`;
}

/** Who wanted the job, why, and when. */
function origin({ data, hasEnded, to }: ReportFacts): Markup[] {
  const { submitted, asOf } = data;
  const pairs = [
    ['Submitted', html`${timeMarkup(submitted.at)} by ${whoMarkup(submitted.who)}`],
    ['Why', submitted.why && html`${submitted.why}`],
    ['Rerun of', submitted.rerunOf && html`<span class="mono">${parentText(submitted.rerunOf)}</span>`],
    [hasEnded ? 'Ended' : 'Looked at', timeMarkup(hasEnded ? new Date(to).toISOString() : asOf)],
  ] as const;
  return pairs.flatMap(([name, value]) => (value ? [html`<dt>${name}</dt><dd>${value}</dd>`] : []));
}

const timeMarkup = (time: string) => html`<time datetime="${time}">${timeText(time)}</time>`;

function keyFacts({ data, attempts, failures, accounts, uses }: ReportFacts): Markup[] {
  const { closed, submitted, asOf } = data;
  const took = tookMs({ startTime: submitted.at, endTime: closed?.at ?? asOf });
  const gpus = uses.uses.filter(({ resource }) => isGpu(resource));
  const gpuHours = gpus.reduce((sum, use) => sum + use.ms, 0) / HOUR_MS;
  const running = accounts.filter(({ phase }) => phase === 'Running');
  const ran = running.reduce((sum, account) => sum + account.ms, 0);
  return [
    fact(closed ? 'Took' : 'Has taken', formatDuration(took)),
    fact('Of that, running', formatDuration(ran), percent(ran, took)),
    fact('Attempts', attempts.length, countText(data.status.restarts, 'restart')),
    fact('Failed pods', countFailedPods(failures)),
    ...(gpuHours > 0 ? [fact('GPU-hours', hoursText(gpuHours))] : []),
    ...(data.prices ? [costFact(uses.uses, data.prices)] : []),
  ];
}

/** Of all its devices together. */
function costFact(uses: readonly DeviceUse[], prices: Prices): Markup {
  const cost = costDataOf(uses, prices);
  return fact('Cost', moneyText(cost), cost.currency);
}

export const HOUR_MS = 3_600_000;

export const fact = (name: string, value: string | number, more?: string) =>
  html`<div><dt>${name}</dt><dd><span class="big">${value}</span>${more && html` <span class="muted">${more}</span>`}</dd></div>`;

export function percent(part: number, whole: number): string {
  if (whole <= 0) return '';
  const share = (100 * part) / whole;
  return share > 0 && share < 0.5 ? '< 1 %' : `${Math.round(share)} %`;
}

export function hoursText(hours: number): string {
  if (hours < 0.005) return hours > 0 ? '< 0.01' : '0';
  return hours >= 100 ? Math.round(hours).toLocaleString('en') : hours.toFixed(hours >= 10 ? 1 : 2);
}
