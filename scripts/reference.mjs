import { spawnSync } from 'node:child_process';
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
runNpm('installing TypeDoc', ['ci', '--prefix', tool]);
rmSync(out, { recursive: true, force: true });
const typedoc = [join(tool, 'node_modules/typedoc/bin/typedoc'), '--tsconfig', join(ROOT, 'tsconfig.json')];
// The project's own TypeScript checks the types. This one only reads them.
const reading = ['--skipErrorChecking', '--treatWarningsAsErrors', '--excludeInternal', '--excludePrivate'];
const shown = [
  '--name',
  'signalbox',
  '--readme',
  join(ROOT, 'scripts/package/README.md'),
  '--disableSources',
];
const entries = ENTRY_NAMES.map((name) => join(ROOT, ENTRIES[name].module));
const args = [...typedoc, ...reading, ...shown, '--out', out, ...entries];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
