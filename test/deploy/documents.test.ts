import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { register } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { SettingEntry } from '../../cli/settings/setting-entry.ts';
import { SETTINGS } from '../../cli/settings/settings-table.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import '../../watcher/metrics.ts';
import '../../worker/archiver-metrics.ts';
import { ROOT } from './manifests.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const operating = read('docs/operating.md');

/** The rows of the table between the two comments that name it, without its head. */
function tableOf(name: string): string[] {
  const [, body = ''] = operating.split(`<!-- ${name} -->`);
  return body
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
}

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

/** As Temporal's command line spells them. */
const TYPES: Readonly<Record<string, string>> = {
  KEYWORD: 'Keyword',
  KEYWORD_LIST: 'KeywordList',
  INT: 'Int',
};

describe('docs/operating.md', () => {
  test('has the settings of cli/settings/settings-table.ts', () => {
    const entries: readonly SettingEntry[] = Object.values(SETTINGS);
    const rows = entries.map(({ option, env, expected, default: value }) =>
      ['', code(env), option ? code([flagOf(option)]) : '', expected, value ? code([value]) : '']
        .map((cell) => (cell ? ` ${cell} ` : ' '))
        .join('|')
        .trim(),
    );
    const written = tableOf('settings').map((row) =>
      row.replace(/ +/g, ' ').split('|').slice(0, 5).join('|').trim(),
    );
    expect(written).toEqual(rows);
  });

  test('has the metrics of watcher and archiver', async () => {
    const metrics = await register.getMetricsAsJSON();
    const names = metrics.map(({ name }) => name).filter((name) => name.startsWith('signalbox_'));
    const written = tableOf('metrics').map((row) => /`(signalbox_\w+)/.exec(row)?.[1]);
    expect(written).toEqual(names);
  });

  test('has the search attributes', () => {
    const words = operating.replaceAll(/\s+/g, ' ');
    for (const { name, type } of Object.values(SEARCH_ATTRIBUTES)) {
      expect(words).toContain(`\`${name}\` (${TYPES[type]})`);
    }
  });
});

describe('links', () => {
  test.each(pages())('of %s lead somewhere', (page) => {
    for (const [, link] of read(page).matchAll(/\]\(([^):]+)\)/g)) {
      const [path = '', anchor] = link!.split('#');
      const target = path === '' ? page : join(page, '..', path);
      expect([link, existsSync(join(ROOT, target))]).toEqual([link, true]);
      if (anchor && target.endsWith('.md')) expect(anchorsOf(read(target))).toContain(anchor);
    }
  });
});

/** All pages for readers: docs with decisions, and READMEs. */
function pages(): string[] {
  const folders = ['docs', 'examples', 'packages/sandbox/docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const files = [...readdirSync(ROOT), ...folders, 'packages/sandbox/README.md', 'python/README.md'];
  return files.filter((file) => file.endsWith('.md'));
}

/** As GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('a decision', () => {
  test.each(decisions())('%s has context, decision and consequences, on less than a page', (page) => {
    const text = read(page);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
    expect(text.split('\n').length).toBeLessThan(60);
  });
});

function decisions(): string[] {
  return readdirSync(join(ROOT, 'docs/decisions'))
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .map((file) => `docs/decisions/${file}`);
}
