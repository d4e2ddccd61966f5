import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { filesOf, readDocuments } from '../../../cli/input/documents.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-documents-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: string | Buffer) {
  const path = join(folder, 'jobs.yaml');
  await writeFile(path, content);
  return (await readDocuments(path)).map(({ where, value }) => ({
    where: where.replace(`${folder}/`, ''),
    value,
  }));
}

describe('a file is read as kubectl reads it:', () => {
  test.each<[string, string, unknown]>([
    ['numbers that begin with 0 are octal', 'mode: 0600', { mode: 0o600 }],
    [
      'numbers have digits',
      'a: e2\nb: .e3\nc: 0x_\nd: 0_\ne: 1e2\nf: .5',
      { a: 'e2', b: '.e3', c: '0x_', d: 0, e: 100, f: 0.5 },
    ],
    ['yes and on are booleans', 'a: yes\nb: on\nc: "yes"', { a: true, b: true, c: 'yes' }],
    ['times stay text', 'at: 2026-01-31\nfor: 12:30:45', { at: '2026-01-31', for: '12:30:45' }],
    ['parts are taken over', 'a: &a { p: 1 }\nb: { <<: *a, q: 2 }', { a: { p: 1 }, b: { p: 1, q: 2 } }],
    ['a byte order mark is nothing', '\uFEFFa: 1', { a: 1 }],
    ['JSON is YAML', '{"kind": "TFJob", "n": [1, null]}', { kind: 'TFJob', n: [1, null] }],
  ])('%s', async (_what, content, value) => {
    expect(await read(content)).toEqual([{ where: 'jobs.yaml', value }]);
  });
});

test.each([
  [
    'an alias inside of what it stands for',
    'a: 1\n---\nb: 1\nx: &a\n  - y: [*a]',
    ':5:9: expected YAML or JSON, got an alias (*) inside the node that it refers to (&).',
  ],
  ['a tab', 'a:\n\tb: 1', ':2:1: expected YAML or JSON, got Tabs are not allowed as indentation.'],
  [
    'an open bracket',
    'a: 1\nb: [',
    ':2:5: expected YAML or JSON, got Flow sequence in block collection must be sufficiently indented and end with a ].',
  ],
  ['Latin-1', Buffer.from('a: 1\nb: Grün', 'latin1'), ':2:6: expected UTF-8, got the byte 0xfc.'],
  ['UTF-16', Buffer.from('\uFEFFa: 1', 'utf16le'), ':1:1: expected UTF-8, got the byte 0xff.'],
])('%s is a fault of the file, with line and column', async (_what, content, words) => {
  await expect(read(content)).rejects.toMatchObject({
    name: 'ManifestFileError',
    message: `${join(folder, 'jobs.yaml')}${words}`,
  });
});

describe('where a file has several objects', () => {
  test('errors have the number of the document, and comments alone are none', async () => {
    expect(await read('a: 1\n---\n# nothing\n---\nb: 2\n')).toEqual([
      { where: 'jobs.yaml, document 1', value: { a: 1 } },
      { where: 'jobs.yaml, document 2', value: { b: 2 } },
    ]);
  });

  test('items of a list are numbered like documents', async () => {
    const list = { kind: 'List', apiVersion: 'v1', items: [{ kind: 'A' }, { kind: 'B' }] };
    expect(await read(JSON.stringify(list))).toEqual([
      { where: 'jobs.yaml, item 1', value: { kind: 'A' } },
      { where: 'jobs.yaml, item 2', value: { kind: 'B' } },
    ]);
  });
});

describe('JSON objects in a row', () => {
  const first = '{"kind": "A", "text": "} {\\" "}';

  test.each([
    ['on lines of their own', `${first}\n{\n  "kind": "B"\n}\n`],
    ['without anything between them', `${first}{"kind": "B"}`],
  ])('%s are documents, as for kubectl', async (_what, content) => {
    expect(await read(content)).toEqual([
      { where: 'jobs.yaml, document 1', value: { kind: 'A', text: '} {" ' } },
      { where: 'jobs.yaml, document 2', value: { kind: 'B' } },
    ]);
  });

  test('have faults with line and column of the file', async () => {
    await expect(read('{"a": 1}\n{"b": 1,\n "b": 2}')).rejects.toThrow(
      'jobs.yaml:3:2: expected YAML or JSON',
    );
    await expect(read('{"a": 1}\n{"b": ')).rejects.toThrow('jobs.yaml:2:1: expected YAML or JSON');
  });
});

describe('a file that cannot be read is an error:', () => {
  test.each([
    ['a file without documents', '# nothing\n', 'expected a document, got none.'],
    ['what is not YAML', 'a: [', 'expected YAML or JSON, got'],
    ['a field that is given twice', 'a: 1\na: 2', 'expected YAML or JSON, got Map keys must be unique'],
    ['text that grows without bounds', billionLaughs(), 'expected YAML or JSON, got Excessive alias count'],
  ])('%s', async (_what, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      name: 'ManifestFileError',
      message: expect.stringContaining(message),
    });
  });
});

test('a folder means the YAML and JSON files in it', async () => {
  const inner = await mkdtemp(join(folder, 'inner-'));
  for (const name of ['b.yml', 'a.yaml', 'c.json', 'notes.md']) await writeFile(join(inner, name), '{}');
  expect(await filesOf([inner, '-'])).toEqual([
    ...['a.yaml', 'b.yml', 'c.json'].map((name) => join(inner, name)),
    '-',
  ]);
});

function billionLaughs(): string {
  const lines = Array.from(
    { length: 9 },
    (_, n) => `x${n + 1}: &x${n + 1} [${Array(9).fill(`*x${n}`).join(', ')}]`,
  );
  return ['x0: &x0 [ha]', ...lines].join('\n');
}
