import { join, resolve } from 'node:path';
import { buildPackage } from './package/build.ts';
import { ROOT } from './package/entries.ts';

/**
 * `node scripts/build.ts [FOLDER]`: bundles signalbox for the published package, by default into dist/. Node strips no
 * types in node_modules, and one file loads faster than hundreds (docs/decisions/0029).
 */
await buildPackage(resolve(process.argv[2] ?? join(ROOT, 'dist')));
