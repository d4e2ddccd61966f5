import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import { buildLibrary } from './library.ts';
import { noticesFor } from './notices.ts';
import { buildProgram } from './program.ts';

/** Makes the folder `dist` of the package `signalbox`: command line, worker, watcher and library, in bundles. */
export async function buildPackage(out: string): Promise<void> {
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
}
