import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeImage } from '../image/image.ts';
import type { ImagePlatform } from '../image/platforms.ts';
import { imagesOf } from '../image/read-layout.ts';
import { copyPackageFiles } from '../package/assemble.ts';
import { buildPackage } from '../package/build.ts';
import { buildClient } from '../package/client.ts';
import { ROOT } from '../package/entries.ts';
import { packageFoldersIn } from '../package/notices.ts';
import { runNpm } from '../run-npm.mjs';
import { packageChart } from './chart.ts';
import { writeChecksums } from './checksums.ts';
import { platformName, sbomOfImage } from './image-sbom.ts';
import { type BomComponent, componentsAt, type LockedPackages, lockedPackages, sbomOf } from './sbom.ts';

/**
 * Makes all that a release publishes, below the folder `out`: `npm/`, `python/`, `chart/`, `image/` (an OCI image layout),
 * `sbom/`, and the checksums of all. The same commit and the same packages of Debian give the same bytes, in a checkout
 * at the same path.
 */
export async function makeArtifacts(out: string, platforms: readonly ImagePlatform[]): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  await makeImage(join(out, 'image'), platforms);
  await makeAllButImage(out);
  await writeChecksums(out);
}

/** All but the image, which is there already. */
export async function makeAllButImage(out: string): Promise<void> {
  mkdirSync(join(out, 'sbom'), { recursive: true });
  // As deep as dist/, so that maps name sources as there.
  const scratch = mkdtempSync(join(ROOT, 'dist-release-'));
  try {
    const locked = lockedPackages();
    const bundled = await packNpmPackages(join(out, 'npm'), join(scratch, 'npm'));
    await buildPythonPackage(join(out, 'python'), join(scratch, 'python'));
    await packageChart(join(out, 'chart'), join(scratch, 'chart'));
    const write = (name: string, sbom: string) => writeFileSync(join(out, 'sbom', `${name}.cdx.json`), sbom);
    write('signalbox', sbomOf(locked.own, locked.components, locked.dependencies));
    write('signalbox-client', sbomOfClient(bundled, locked));
    for (const image of imagesOf(join(out, 'image')))
      write(
        `image-${platformName(image)}`,
        sbomOfImage(image, locked, join(scratch, `image-${platformName(image)}`)),
      );
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** It depends on nothing: what it has of others is in its bundles. */
function sbomOfClient(bundled: readonly string[], locked: LockedPackages): string {
  const name = 'signalbox-client';
  const { version } = locked.own;
  const purl = `pkg:npm/${name}@${version}`;
  const subject: BomComponent = {
    ...locked.own,
    type: 'library',
    name,
    purl,
    'bom-ref': `${name}@${version}`,
  };
  return sbomOf(subject, componentsAt(ROOT, bundled, locked), locked.dependencies);
}

/**
 * Packs what is published on npm into the folder `out`. Returns where the packages are whose code is in the bundles of
 * `signalbox-client`.
 */
async function packNpmPackages(out: string, scratch: string): Promise<readonly string[]> {
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

const run = promisify(execFile);

/** Builds wheel and sdist of the Python package into the folder `out`, with the tools that requirements.txt pins. */
async function buildPythonPackage(out: string, scratch: string): Promise<void> {
  const environment = join(scratch, 'venv');
  const python = join(environment, 'bin/python');
  await run(process.env.SIGNALBOX_PYTHON ?? 'python3', ['-m', 'venv', environment]);
  const constraint = ['--constraint', join(ROOT, 'python/requirements.txt')];
  await run(python, ['-m', 'pip', 'install', '--quiet', ...constraint, 'build', 'hatchling']);
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', out, join(ROOT, 'python')]);
}
