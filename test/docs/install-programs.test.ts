import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../deploy/manifests.ts';

/** docs/install.md says of each program that it types how to go on without it. */

const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');

const TYPED = ['kubectl', 'helm', 'temporal', 'skopeo'];

it('each program that the page types has a row that says how to go on without it', () => {
  const [, table = ''] = page.split('| without | |\n');
  const rows = [...table.split('\n\n')[0]!.matchAll(/^\| ([a-z]+) \| .{20,} \|$/gm)].map(([, name]) => name);
  expect(rows).toEqual(TYPED);
  const blocks = [...page.matchAll(/```sh\n([^`]*)```/g)].map(([, block]) => block).join('\n');
  for (const name of TYPED) expect(blocks).toMatch(new RegExp(`^${name} `, 'm'));
});

it('what it tells to bring can be brought', () => {
  const [, names = ''] = /^npm run programs -- (.+)$/m.exec(page) ?? [];
  const script = readFileSync(join(ROOT, 'scripts/programs.ts'), 'utf8');
  for (const name of names.split(' ')) expect(script).toContain(`'${name}'`);
});
