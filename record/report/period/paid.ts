import { moneyText } from '../../uses/money-text.ts';
import { PAID_FOR, type PaidFor } from '../../uses/paid-for.ts';
import { currencyOf } from '../../uses/priced-sums.ts';
import { partText } from '../../uses/use-sums.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { HOUR_MS, hoursText } from '../sections/head.ts';
import { shareBar } from '../sections/share-bar.ts';
import { hoursTable, moneyColumn, remarks } from '../sections/uses.ts';
import type { PeriodReport } from './period-report.ts';

type Sums = PeriodReport['resources'][number];

/** What the hours went to: these add up to what was held. */
export function paidSection({ resources }: PeriodReport): PageSection {
  const content =
    resources.length === 0
      ? html`<p class="empty">No pod of a job had a node.</p>`
      : html`${resources.map(resourceMarkup)}`;
  return { id: 'paid', heading: 'What was paid for', content };
}

const COLOURS: Readonly<Record<PaidFor, string>> = {
  productive: 'running',
  start: 'starting',
  recovery: 'restarting',
  repeated: 'failed',
  idle: 'suspended',
  unknown: 'pending',
};

function resourceMarkup(sums: Sums): Markup {
  const { resource, assumedMs, paidFor, goodput, cost } = sums;
  const parts = paidFor.map(({ what, ...part }) => ({ name: what, about: PAID_FOR[what], ...part }));
  return html`${shareBar(sharesOf(sums), `Hours of ${resource}`)}
${hoursTable(sums, 'For', parts)}
<p>Productive: ${partText(goodput)}.${remarks(assumedMs, cost)}</p>`;
}

const sharesOf = ({ paidFor }: Sums) =>
  [...Map.groupBy(paidFor, ({ what }) => what)].map(([what, own]) => {
    const ms = own.reduce((sum, one) => sum + one.ms, 0);
    return { name: what, colour: COLOURS[what], ms, text: `${hoursText(ms / HOUR_MS)} hours` };
  });

/** Who held most. */
export function usersSection({ users }: PeriodReport): PageSection {
  const currency = currencyOf(users.flatMap(({ resources }) => resources));
  const rows = users.flatMap(({ by, jobs, resources }) =>
    resources.map(({ resource, ms, goodput, cost }) => [
      ...[by.user ?? 'not said', jobs, resource, hoursText(ms / HOUR_MS), partText(goodput)],
      ...(currency === undefined ? [] : [moneyText(cost)]),
    ]),
  );
  const columns = [...USERS, ...moneyColumn(currency)];
  return { id: 'users', heading: 'Who held most', content: tableOrNone('Users', columns, rows) };
}

const USERS = [
  { heading: 'User' },
  { heading: 'Jobs', is: 'number' },
  { heading: 'Resource', late: true },
  { heading: 'Hours', is: 'number' },
  { heading: 'Productive', is: 'number' },
] as const;

export const tableOrNone = (...[caption, columns, rows]: Parameters<typeof tableMarkup>): Markup =>
  rows.length > 0 ? tableMarkup(caption, columns, rows) : html`<p class="empty">None.</p>`;
