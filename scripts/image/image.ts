import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { ROOT } from '../package/entries.ts';
import { configOfDockerfile } from './dockerfile.ts';
import { makeAppFolder, makePlatformFolders, OF_ALL, OF_PLATFORM } from './layers.ts';
import { type Image, type ImageLayer, makeLayer, writeLayout } from './oci-layout.ts';
import type { ImagePlatform } from './platforms.ts';

/** As containerd asks for what manifests call `signalbox:VERSION`. */
export const IMAGE_NAME = `docker.io/library/signalbox:${ownVersion()}`;

/**
 * Makes the image for these platforms as an OCI image layout in the folder `out`, without a daemon, a registry or root.
 * The same commit and the same packages of Debian give the same digests.
 */
export async function makeImage(out: string, platforms: readonly ImagePlatform[]) {
  const home = join(ROOT, '.signalbox/image');
  mkdirSync(home, { recursive: true });
  const scratch = mkdtempSync(join(home, 'making-'));
  try {
    await makeAppFolder(scratch);
    const app = await layerOf(scratch, OF_ALL);
    const config = configOfDockerfile();
    const images: Image[] = [];
    for (const platform of platforms)
      images.push({ platform, config, layers: [...(await layersOf(scratch, platform)), app] });
    return writeLayout(out, IMAGE_NAME, images);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function layersOf(scratch: string, platform: ImagePlatform): Promise<readonly ImageLayer[]> {
  const folder = join(scratch, platform);
  await makePlatformFolders(folder, platform);
  return Promise.all(OF_PLATFORM.map((layer) => layerOf(folder, layer)));
}

const layerOf = (folder: string, layer: string) =>
  makeLayer(join(folder, layer), join(folder, `${layer}.tar.gz`));
