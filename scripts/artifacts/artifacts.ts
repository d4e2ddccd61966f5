import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeImage } from '../image/image.ts';
import type { ImagePlatform } from '../image/platforms.ts';
import { imagesOf } from '../image/read-layout.ts';
import { ROOT } from '../package/entries.ts';
import { packageChart } from './chart.ts';
import { writeChecksums } from './checksums.ts';
import { platformName, sbomOfImage } from './image-sbom.ts';
import { packNpmPackages } from './npm-packages.ts';
import { buildPythonPackage } from './python-package.ts';
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
