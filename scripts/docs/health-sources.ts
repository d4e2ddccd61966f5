import { HEALTH_SOURCES, type HealthRow } from '../../contracts/health-sources.ts';
import { formatDuration } from '../../language/duration.ts';
import { table } from './markdown.ts';

/** Returns the table of what sources of health write on nodes. Rows that differ only in their key are one. */
export function healthSources(): string {
  const rows = HEALTH_SOURCES.flatMap((source) =>
    [...Map.groupBy(source.rows, meaningOf)].map(
      ([meaning, alike]) => [source.name, alike, meaning] as const,
    ),
  );
  return table(
    ['source', 'on the Node', 'key', 'bad value', 'means', 'goes'],
    rows.map(([name, alike]) => [name, alike[0]!.kind, alike.map(keyText).join(', '), ...cellsOf(alike[0]!)]),
  );
}

const meaningOf = (row: HealthRow) => [row.kind, ...cellsOf(row)].join(' ');

const keyText = ({ key, reason }: HealthRow) => `\`${key}\`${reason ? ` with reason \`${reason}\`` : ''}`;

const cellsOf = (row: HealthRow) => [valueText(row), row.means, timeText(row)];

function valueText({ kind, is }: HealthRow): string {
  if (kind === 'resource') return 'less allocatable than capacity';
  return is ? is.map((value) => `\`${value}\``).join(', ') : 'any';
}

function timeText({ means, time, leadMs }: HealthRow): string {
  if (time) return `when the value says, ${TIMES[time]}`;
  return leadMs === undefined || means === 'nothing' ? '' : `${formatDuration(leadMs)} later, as assumed`;
}

const TIMES = {
  unixSeconds: 'in Unix seconds',
  rfc3339: 'as RFC 3339',
} satisfies Readonly<Record<NonNullable<HealthRow['time']>, string>>;
