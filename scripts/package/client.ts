import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { writeDeclarations } from './declarations.ts';
import { exportsOf, ROOT } from './entries.ts';
import { buildLibrary } from './library.ts';
import { noticesFor } from './notices.ts';
import { PEERS } from './peers.ts';

/** Makes the package `signalbox-client` in a folder, ready for npm. Returns what its bundles are made of. */
export async function buildClient(out: string): Promise<readonly Metafile[]> {
  const library = join(out, 'dist');
  await rm(out, { recursive: true, force: true });
  await mkdir(library, { recursive: true });
  const [bundles, faults] = await Promise.all([buildLibrary(library), writeDeclarations({ out: library })]);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await Promise.all([
    writeFile(join(out, 'THIRD-PARTY-NOTICES.txt'), noticesFor(bundles)),
    writeFile(join(out, 'package.json'), `${JSON.stringify(await manifest(), undefined, 2)}\n`),
    copyFile(join(ROOT, 'LICENSE'), join(out, 'LICENSE')),
    copyFile(join(ROOT, 'scripts/package/README.md'), join(out, 'README.md')),
    cp(join(ROOT, 'schemas'), join(out, 'schemas'), { recursive: true }),
  ]);
  return bundles;
}

async function manifest(): Promise<object> {
  const { version, license, homepage, bugs, repository, publishConfig, dependencies } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>> & { dependencies: Record<string, string> };
  return {
    name: 'signalbox-client',
    version,
    description: 'Client of signalbox, which runs ML training jobs on Kubernetes as durable state machines',
    license,
    ...{ homepage, bugs, repository, publishConfig },
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.11' },
    exports: exportsOf('./dist'),
    files: ['dist', 'schemas', 'THIRD-PARTY-NOTICES.txt'],
    peerDependencies: Object.fromEntries(PEERS.map((name) => [name, `^${dependencies[name]}`])),
    peerDependenciesMeta: Object.fromEntries(PEERS.map((name) => [name, { optional: true }])),
  };
}
