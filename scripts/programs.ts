import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import { createProgress } from '../cli/print/progress.ts';
import { ROOT } from './package/entries.ts';
import { runScript } from './run-script.ts';

/**
 * `npm run programs -- kubectl helm`: brings programs that the pages use, as the sandbox does: what is on the PATH in its version,
 * else the official release, else built from its Go module. Links them in .signalbox/bin/.
 */

const NAMES = ['kubectl', 'helm', 'crane', 'temporal'] as const;
const BIN = join(ROOT, '.signalbox', 'bin');

await runScript(main);

async function main(): Promise<void> {
  const names = process.argv.slice(2).map(nameOf);
  if (names.length === 0) throw new Error(`Name some of ${NAMES.join(', ')}.`);
  const report = createProgress(process.stderr);
  const paths = await ensurePrograms({ names, report }).finally(() => report.end());
  mkdirSync(BIN, { recursive: true });
  for (const name of names) link(paths[name], join(BIN, name));
  console.log(`export PATH="${BIN}:$PATH"`);
}

function nameOf(given: string): (typeof NAMES)[number] {
  const name = NAMES.find((one) => one === given);
  if (name) return name;
  throw new Error(`There is no program ${given}: expected some of ${NAMES.join(', ')}.`);
}

function link(program: string, path: string): void {
  rmSync(path, { force: true });
  symlinkSync(program, path);
}
