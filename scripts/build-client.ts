import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeDeclarations } from './package/declarations.ts';
import { exportsOf, ROOT } from './package/entries.ts';
import { buildLibrary } from './package/library.ts';
import { noticesFor } from './package/notices.ts';
import { PEERS } from './package/peers.ts';

/**
 * `node scripts/build-client.ts [FOLDER]`: makes the package `signalbox-client`, ready for `npm pack` and `npm publish`,
 * by default in dist-client/. It is what programs import of `signalbox`, without worker, command line and dependencies.
 */

const out = resolve(process.argv[2] ?? join(ROOT, 'dist-client'));
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
console.log(`signalbox-client is in ${out}`);

async function manifest(): Promise<object> {
  const { version, license, dependencies } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as { version: string; license: string; dependencies: Record<string, string> };
  return {
    name: 'signalbox-client',
    version,
    description: 'Client of signalbox, which runs ML training jobs on Kubernetes as durable state machines',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.11' },
    exports: exportsOf('./dist'),
    files: ['dist', 'schemas', 'THIRD-PARTY-NOTICES.txt'],
    peerDependencies: Object.fromEntries(PEERS.map((name) => [name, `^${dependencies[name]}`])),
    peerDependenciesMeta: Object.fromEntries(PEERS.map((name) => [name, { optional: true }])),
  };
}
