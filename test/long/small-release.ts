import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { packageChart } from '../../scripts/artifacts/chart.ts';
import { writeChecksums } from '../../scripts/artifacts/checksums.ts';
import { platformName } from '../../scripts/artifacts/image-sbom.ts';
import { type BomComponent, sbomOf } from '../../scripts/artifacts/sbom.ts';
import { IMAGE_NAME } from '../../scripts/image/image.ts';
import { makeLayer, writeLayout } from '../../scripts/image/oci-layout.ts';
import type { ImagePlatform } from '../../scripts/image/platforms.ts';
import { imagesOf } from '../../scripts/image/read-layout.ts';

/**
 * Makes a folder like that of `npm run artifacts` within a second: the real chart, images of one small file, SBOMs of them,
 * and stand-ins for packages.
 */
export async function makeSmallRelease(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const version = ownVersion();
  await makeSmallImage(join(out, 'image'), 'of the release');
  const scratch = mkdtempSync(`${out}-`);
  try {
    await packageChart(join(out, 'chart'), scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  for (const image of imagesOf(join(out, 'image'))) {
    const purl = `pkg:oci/signalbox@${encodeURIComponent(image.digest)}?arch=${platformName(image)}`;
    const own: BomComponent = { 'bom-ref': purl, type: 'container', name: 'signalbox', version, purl };
    write(out, `sbom/image-${platformName(image)}.cdx.json`, sbomOf(own, [], []));
  }
  write(out, `npm/signalbox-${version}.tgz`, 'of npm');
  write(out, `python/signalbox-${version}.tar.gz`, 'of Python');
  await writeChecksums(out);
}

/** Makes an OCI image layout for two platforms, with one file in each image. */
export async function makeSmallImage(out: string, text: string): Promise<void> {
  const scratch = mkdtempSync(`${out}-`);
  try {
    const make = async (platform: ImagePlatform) => {
      write(scratch, `${platform}/file`, `${platform} ${text}`);
      const layer = await makeLayer(join(scratch, platform), join(scratch, `${platform}.tar.gz`));
      return { platform, layers: [layer], config: {} };
    };
    writeLayout(out, IMAGE_NAME, [await make('amd64'), await make('arm64')]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), text);
}
