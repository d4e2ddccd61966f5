import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { clusterPaths, installNode, makeRootFolder, PAUSE_IMAGE } from '@signalbox/sandbox/real-node';
import { makeImage } from '../../scripts/image/image.ts';
import {
  archiveLayout,
  type ImageConfig,
  type ImageLayer,
  makeLayer,
  writeLayout,
} from '../../scripts/image/oci-layout.ts';
import { ownPlatform } from '../../scripts/image/platforms.ts';
import { ROOT } from '../deploy/manifests.ts';

/** What programs of an image are found by. */
export const PATH_OF_IMAGES = 'PATH=/usr/local/bin:/bin';

/**
 * Makes the archives of the images that every node gets: there is no registry. The examples ask for `node:24`, and find
 * it with the examples in it.
 */
export async function makeImages(cluster: string): Promise<void> {
  const { images, layers } = clusterPaths(cluster);
  for (const folder of [images, layers]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  await makeRootFolder(join(layers, 'base'));
  await installNode(join(layers, 'node'));
  cpSync(join(ROOT, 'examples'), join(layers, 'examples/signalbox/examples'), { recursive: true });
  const [base, node, examples] = [
    await layerOf(layers, 'base'),
    await layerOf(layers, 'node'),
    await layerOf(layers, 'examples'),
  ];
  await writeImage(join(images, 'pause.tar'), PAUSE_IMAGE, [base], PAUSES);
  await writeImage(join(images, 'busybox.tar'), 'docker.io/library/busybox:1.37', [base], HAS_A_SHELL);
  await writeImage(join(images, 'node.tar'), 'docker.io/library/node:24', [base, node, examples], RUNS_NODE);
}

/** Makes the archive of signalbox's own image for this machine, once for a run. */
export async function makeEngineImage(cluster: string): Promise<string> {
  const layout = join(clusterPaths(cluster).layers, 'engine');
  const archive = `${layout}.tar`;
  if (existsSync(archive)) return archive;
  await makeImage(layout, [ownPlatform()]);
  await archiveLayout(layout, archive);
  return archive;
}

/** An archive of the folder of this name, beside it. */
export const layerOf = (layers: string, name: string): Promise<ImageLayer> =>
  makeLayer(join(layers, name), join(layers, `${name}.tar.gz`));

export async function writeImage(
  file: string,
  name: string,
  layers: readonly ImageLayer[],
  config: ImageConfig,
): Promise<void> {
  const layout = `${file}.layout`;
  writeLayout(layout, name, [{ platform: ownPlatform(), layers, config }]);
  await archiveOf(layout, file);
}

async function archiveOf(layout: string, file: string): Promise<string> {
  await archiveLayout(layout, file);
  rmSync(layout, { recursive: true });
  return file;
}

/** Holds the namespaces of a pod: it has nothing to do. */
export const PAUSES: ImageConfig = { Entrypoint: ['/bin/sleep', '2147483'], Env: [PATH_OF_IMAGES] };

export const HAS_A_SHELL: ImageConfig = { Cmd: ['sh'], Env: [PATH_OF_IMAGES] };

const RUNS_NODE: ImageConfig = { Cmd: ['node'], Env: [PATH_OF_IMAGES], WorkingDir: '/signalbox' };
