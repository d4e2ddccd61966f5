import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRIES, ENTRY_NAMES, ROOT } from './package/entries.ts';
import { runNpm } from './run-npm.mjs';

/**
 * `npm run reference`: writes the reference of the library as HTML into reference/. TypeDoc does not support the
 * project's TypeScript yet, so it is installed apart, with one that it supports.
 */

const tool = join(ROOT, '.signalbox/typedoc');
const out = join(ROOT, 'reference');

mkdirSync(tool, { recursive: true });
for (const file of ['package.json', 'package-lock.json'])
  cpSync(join(import.meta.dirname, 'typedoc', file), join(tool, file));
await runNpm('installing TypeDoc', ['ci', '--prefix', tool]);
rmSync(out, { recursive: true, force: true });
const options = ['--tsconfig', join(ROOT, 'tsconfig.json'), '--skipErrorChecking', '--treatWarningsAsErrors'];
const entries = ENTRY_NAMES.map((name) => join(ROOT, ENTRIES[name].module));
const shown = [
  '--name',
  'signalbox',
  '--readme',
  join(ROOT, 'docs/packages.md'),
  '--excludeInternal',
  '--excludePrivate',
];
execFileSync(
  process.execPath,
  [join(tool, 'node_modules/typedoc/bin/typedoc'), ...options, ...shown, '--out', out, ...entries],
  { stdio: 'inherit' },
);
