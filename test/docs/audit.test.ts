import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Column, type ColumnType, TABLES } from '../../record/index/columns.ts';

const page = await readFile(new URL('../../docs/audit.md', import.meta.url), 'utf8');

const ATHENA: Readonly<Record<ColumnType, string>> = {
  text: 'string',
  time: 'timestamp',
  integer: 'int',
  number: 'double',
};

test.each(Object.entries<Readonly<Record<string, Column>>>(TABLES))(
  'the page about audit has every column of %s',
  (table, columns) => {
    const section = page.split(`## Columns of \`${table}\``)[1]?.split('\n## ')[0];
    const rows = [...(section ?? '').matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \|$/gm)];
    expect(rows.map(([, name, type, about]) => [name, type, about])).toEqual(
      Object.entries(columns).map(([name, { type, about }]) => [name, type, about]),
    );
  },
);

test.each(Object.entries<Readonly<Record<string, Column>>>(TABLES))(
  'the table %s for Athena has the columns of the index',
  (table, columns) => {
    const definition = page.match(new RegExp(`CREATE EXTERNAL TABLE ${table} \\(([^)]*)\\)`))?.[1];
    expect(definition?.split(',').map((column) => column.trim())).toEqual(
      Object.entries(columns).map(([name, { type }]) => `${name} ${ATHENA[type]}`),
    );
  },
);
