import { formatDuration } from '../../language/duration.ts';
import type { Route } from '../../notify/routes/parse-routes.ts';
import { formatTable } from '../print/table.ts';
import type { CheckedRoutes } from './checked-routes.ts';

/** Says what each route tells to whom, and what looks like a slip. */
export async function routesText({
  file,
  receivers,
  routes,
  unreadable,
  unused,
}: CheckedRoutes): Promise<string> {
  const rows = Object.entries(routes).map(([name, route]) => [
    name,
    route.to,
    receivers[route.to]!.type,
    whenText(route),
  ]);
  const table =
    rows.length > 0 ? await formatTable(['ROUTE', 'TO', 'TYPE', 'WHEN'], rows) : 'There are no routes.';
  const remarks = [
    ...unreadable.map((path) => `warning: ${path} cannot be read here; the notifier needs it`),
    ...unused.map((name) => `warning: no route names the receiver ${name}`),
  ];
  return [
    `${file}: ${rows.length} routes, no faults`,
    '',
    table,
    ...(remarks.length > 0 ? ['', ...remarks] : []),
  ].join('\n');
}

function whenText({ when }: Route): string {
  const { for: forMs, labels = {}, silent, budgetUsed, goodputBelow, ...lists } = when;
  return [
    ...Object.entries(lists).flatMap(([name, values]) => (values ? [`${name} ${values.join(', ')}`] : [])),
    ...Object.entries(labels).map((label) => label.join('=')),
    ...(budgetUsed === undefined ? [] : [`${budgetUsed * 100} % of restarts used`]),
    ...(goodputBelow === undefined ? [] : [`goodput of an attempt below ${goodputBelow * 100} %`]),
    ...(silent ? ['no steps for longer than usual'] : []),
    ...(forMs === undefined ? [] : [`for ${formatDuration(forMs)}`]),
  ].join('; ');
}
