import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RESULTS } from '../pass.ts';
import { JOBS, SECONDS, SEED } from './options.ts';
import type { Tally } from './tally.ts';

/** The table of faults, and what was seen of their effects; for people, and as a file. */
export async function keepResults(tally: Tally, seen: Readonly<Record<string, number>>): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const { total, byKind: faults } = tally;
  const result = { seed: SEED, seconds: SECONDS, jobs: JOBS, total, faults, seen };
  await writeFile(join(RESULTS, `chaos-${SEED}.json`), JSON.stringify(result, null, 2));
  const rows = Object.entries(seen).map(([what, count]) => `${String(count).padStart(7)}  ${what}`);
  process.stderr.write(`\nfaults by kind, seed ${SEED}\n${tally}\n\nseen\n${rows.join('\n')}\n\n`);
}
