import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeDeclarations } from './package/declarations.ts';
import { ROOT } from './package/entries.ts';
import { buildLibrary } from './package/library.ts';
import { noticesFor } from './package/notices.ts';
import { buildProgram } from './package/program.ts';

/**
 * `node scripts/build.ts [FOLDER]`: bundles signalbox for the published package, by default into dist/. Node strips no
 * types in node_modules, and one file loads faster than hundreds (docs/decisions/0029).
 */

const out = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const library = join(out, 'library');

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const [ofProgram, ofLibrary, faults] = await Promise.all([
  buildProgram(out),
  buildLibrary(library),
  writeDeclarations({ out: library }),
]);
if (faults.length > 0) throw new Error(faults.join('\n'));
await writeFile(join(out, 'THIRD-PARTY-NOTICES.txt'), noticesFor([...ofProgram, ...ofLibrary]));
