import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyPackageFiles } from '../package/assemble.ts';
import { buildPackage } from '../package/build.ts';
import { buildClient } from '../package/client.ts';
import { ROOT } from '../package/entries.ts';
import { packageFoldersIn } from '../package/notices.ts';
import { runNpm } from '../run-npm.mjs';

/**
 * Packs what is published on npm into the folder `out`. Returns where the packages are whose code is in the bundles of
 * `signalbox-client`.
 */
export async function packNpmPackages(out: string, scratch: string): Promise<readonly string[]> {
  mkdirSync(out, { recursive: true });
  mkdirSync(scratch);
  // As deep as dist/ and dist-client/, so that maps name sources as there.
  const [dist, client] = ['dist-npm-', 'dist-client-'].map((name) => mkdtempSync(join(ROOT, name)));
  try {
    await buildPackage(dist!);
    const bundles = await buildClient(client!);
    copyPackageFiles(scratch);
    renameSync(dist!, join(scratch, 'dist'));
    // Without the scripts of package.json, which build again.
    for (const folder of [scratch, client!])
      runNpm('packing for npm', ['pack', folder, '--ignore-scripts', '--pack-destination', out]);
    return packageFoldersIn(bundles);
  } finally {
    for (const folder of [dist!, client!]) rmSync(folder, { recursive: true, force: true });
  }
}
