import { formatDuration } from '../../../language/duration.ts';
import { moneyText } from '../../uses/money-text.ts';
import { type CostData, type PricedSums, pricedSumsOf } from '../../uses/priced-sums.ts';
import type { RestartFact } from '../../uses/restart-causes.ts';
import { ettrOf, partText } from '../../uses/use-sums.ts';
import { USES } from '../../uses/uses.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { timeText } from '../page/time-texts.ts';
import { entryLink } from '../page/words.ts';
import { HOUR_MS, hoursText, percent } from './head.ts';

/** What the job's devices were used for, and what each restart cost. */
export function usesSection({ uses, data: { prices } }: ReportFacts): PageSection {
  const sums = pricedSumsOf(uses.uses, prices);
  const { withQueue, withoutQueue } = ettrOf(uses);
  const content =
    sums.length === 0
      ? html`<p class="muted">No pod of the job had a node.</p>`
      : html`${sums.map(resourceMarkup)}
<p>Effective training time ratio: ${partText(withQueue)} of the time since the submission, ${partText(withoutQueue)} since its first pod had a node.</p>
${restartsMarkup(uses.restarts)}`;
  return { id: 'uses', heading: 'What its devices were used for', content };
}

function resourceMarkup(sums: PricedSums): Markup {
  const { resource, assumedMs, uses, goodput, cost } = sums;
  const parts = uses.map(({ use, ...part }) => ({ name: use, about: USES[use], ...part }));
  return html`${hoursTable(sums, 'Use', parts)}
<p>Goodput of ${resource}: ${partText(goodput)}.${remarks(assumedMs, cost)}</p>`;
}

interface PartOfHours extends Pick<PricedSums['uses'][number], 'cause' | 'ms' | 'cost'> {
  readonly name: string;
  readonly about: string;
}

/** What the hours of a resource went to, a row each, and their sum. */
export function hoursTable(
  { resource, ms, cost }: Pick<PricedSums, 'resource' | 'ms' | 'cost'>,
  heading: string,
  parts: readonly PartOfHours[],
): Markup {
  const columns = [{ heading }, ...OF_HOURS, ...moneyColumn(cost?.currency)];
  const rows = parts.map(({ name, about, cause, ms: own, cost: price }) => [
    html`${name}<br><span class="small muted">${about}</span>`,
    ...[cause, hoursText(own / HOUR_MS), percent(own, ms), ...(price ? [moneyText(price)] : [])],
  ]);
  const whole = [html`together`, '', hoursText(ms / HOUR_MS), '', ...(cost ? [moneyText(cost)] : [])];
  return tableMarkup(`Hours of ${resource}`, columns, [...rows, whole]);
}

const OF_HOURS = [
  { heading: 'Because of', late: true },
  { heading: 'Hours', is: 'number' },
  { heading: 'Share', is: 'number' },
] as const;

/** A column for amounts, if there are any. */
export const moneyColumn = (currency: string | undefined) =>
  currency === undefined ? [] : [{ heading: currency, is: 'number' } as const];

/** What sums rest on, and what they lack. */
export function remarks(assumedMs: number, cost: CostData | undefined): string {
  const unpriced = cost?.unpricedMs ?? 0;
  return [
    ...(assumedMs > 0
      ? [` ${hoursText(assumedMs / HOUR_MS)} hours of it are as the pods were counted last.`]
      : []),
    ...(unpriced > 0 ? [` ${hoursText(unpriced / HOUR_MS)} hours of it have no price on their day.`] : []),
  ].join('');
}

/** The largest report stays a page that can be mailed. */
const MOST_RESTARTS = 50;

function restartsMarkup(restarts: readonly RestartFact[]): Markup | undefined {
  if (restarts.length === 0) return undefined;
  const shown = restarts.slice(-MOST_RESTARTS);
  const which =
    shown.length < restarts.length ? `The last ${shown.length} of ${restarts.length} restarts` : 'Restarts';
  return tableMarkup(`${which}, times in UTC`, RESTARTS, shown.map(restartCells));
}

const RESTARTS = [
  { heading: 'Began', is: 'time' },
  { heading: 'Because of' },
  { heading: 'Ran again after', is: 'number' },
  { heading: 'What happened' },
] as const;

const restartCells = ({ seq, at, cause, message, ranAt }: RestartFact) => [
  timeText(at).replace(' UTC', ''),
  cause,
  ranAt === undefined ? 'never' : formatDuration(ranAt - at),
  html`${message} ${entryLink(seq)}`,
];
