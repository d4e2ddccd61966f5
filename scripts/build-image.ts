import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keysOf } from '../language/fields.ts';
import { makeImage } from './image/image.ts';
import { makeAppFolder, makePlatformFolders } from './image/layers.ts';
import { type ImagePlatform, isPlatform, ownPlatform, PLATFORMS } from './image/platforms.ts';
import { requireForImage } from './image/requirements.ts';
import { ROOT } from './package/entries.ts';
import { runScript } from './run-script.ts';

/**
 * `npm run image [-- --platform amd64]`: makes the image of signalbox for each platform, as an OCI image layout in
 * dist-image/. With `--files FOLDER` it makes only the files that are in the image: the Dockerfile copies them.
 */

await runScript(main);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { platform: { type: 'string' }, files: { type: 'string' } } });
  requireForImage('Install what is missing, or build it with Docker: docker build --tag signalbox .');
  // Docker's older builder names no platform.
  const platform = values.platform ? platformOf(values.platform) : undefined;
  if (values.files) await makeFiles(resolve(values.files), platform ?? ownPlatform());
  else await makeLayout(join(ROOT, 'dist-image'), platform ? [platform] : keysOf(PLATFORMS));
}

async function makeFiles(out: string, platform: ImagePlatform): Promise<void> {
  await makePlatformFolders(out, platform);
  await makeAppFolder(out);
}

async function makeLayout(out: string, platforms: readonly ImagePlatform[]): Promise<void> {
  const images = await makeImage(out, platforms);
  for (const { platform, digest, bytes } of images)
    console.log(`${platform.padEnd(5)} ${digest} ${(bytes / 1e6).toFixed(1)} MB`);
  console.log(`the image is in ${out}, an OCI image layout`);
}

function platformOf(name: string): ImagePlatform {
  if (isPlatform(name)) return name;
  throw new Error(`--platform: expected ${keysOf(PLATFORMS).join(' or ')}, got ${name}`);
}
