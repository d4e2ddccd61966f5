import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../deploy/manifests.ts';

const SKIPPED = /(^|\/)(node_modules|dist[^/]*|\.[^/]+|pictures|results|histories|golden)(\/|$)/;

/** All files of the checkout that people write or read as text. */
const FILES = readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !SKIPPED.test(name))
  .flatMap((entry) => (entry.isDirectory() ? filesIn(entry.name) : [entry.name]))
  .filter((file) => /\.(md|ts|mjs|py|ya?ml)$|(^|\/)Dockerfile$/.test(file));

const PAGES = FILES.filter((file) => file.endsWith('.md'));

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

describe('a link', () => {
  it.each(PAGES)('of %s leads to a file and a heading', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^):\s]+)\)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !leads(link, page))).toEqual([]);
  });
});

function leads(link: string, page: string): boolean {
  const [path = '', anchor] = link.split('#');
  return exists(path === '' ? page : join(page, '..', path), anchor);
}

describe('a page that code, messages or comments name', () => {
  it('exists, with its heading', () => {
    const named = FILES.filter((file) => !file.endsWith('.md')).flatMap((file) =>
      [...textOf(file).matchAll(/(?<![\w/.-])docs\/([\w./-]+\.md)(#[\w-]+)?/g)].map(
        ([text, path, anchor]) => ({ file, text, isThere: exists(`docs/${path}`, anchor?.slice(1)) }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ isThere }) => !isThere)).toEqual([]);
  });
});

const exists = (file: string, anchor?: string): boolean =>
  existsSync(join(ROOT, file)) &&
  (!anchor || !file.endsWith('.md') || anchorsOf(textOf(file)).includes(anchor));

/** As GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('docs/README.md', () => {
  const pages = PAGES.filter((page) => /^docs\/[\w-]+\.md$/.test(page) && page !== 'docs/README.md');

  it.each(pages)('leads to %s', (page) => {
    expect(textOf('docs/README.md')).toContain(`(${page.slice('docs/'.length)})`);
  });
});

describe('a decision', () => {
  it.each(PAGES.filter((page) => /^docs\/decisions\/\d{4}-/.test(page)))(
    '%s has context, decision and consequences, on less than a page',
    (page) => {
      const text = textOf(page);
      expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
        'Context',
        'Decision',
        'Consequences',
      ]);
      expect(text.split('\n').length).toBeLessThan(60);
    },
  );
});
