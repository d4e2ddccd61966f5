import { join, resolve } from 'node:path';
import { buildClient } from './package/client.ts';
import { ROOT } from './package/entries.ts';

/**
 * `node scripts/build-client.ts [FOLDER]`: makes the package `signalbox-client`, ready for `npm pack` and `npm publish`,
 * by default in dist-client/. It is what programs import of `signalbox`, without worker, command line and dependencies.
 */

const out = resolve(process.argv[2] ?? join(ROOT, 'dist-client'));
await buildClient(out);
console.log(`signalbox-client is in ${out}`);
