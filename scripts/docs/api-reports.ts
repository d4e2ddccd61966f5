import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeDeclarations } from '../package/declarations.ts';
import { REPORTS } from '../package/entries.ts';

/** `node scripts/docs/api-reports.ts [FOLDER]`: writes the reports of the public types, by default into api/. */

const out = await mkdtemp(join(tmpdir(), 'signalbox-declarations-'));
try {
  const faults = await writeDeclarations({ out, reports: resolve(process.argv[2] ?? REPORTS) });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await rm(out, { recursive: true });
}
