import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  clusterPaths,
  type Image,
  type ImageLayer,
  installNode,
  makeLayer,
  makeRootFolder,
  PAUSE_IMAGE,
  writeImage,
} from '@signalbox/sandbox/real-node';
import { ROOT } from '../deploy/manifests.ts';

/** What programs of an image are found by. */
export const PATH = 'PATH=/usr/local/bin:/bin';

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
  await writeImage(pauseImage(base), join(images, 'pause.tar'));
  await writeImage(nodeImage([base, node, examples]), join(images, 'node.tar'));
}

/** An archive of the folder of this name, beside it. */
export const layerOf = (layers: string, name: string): Promise<ImageLayer> =>
  makeLayer(join(layers, name), join(layers, `${name}.tar`));

/** Holds the namespaces of a pod: it has nothing to do. */
const pauseImage = (base: ImageLayer): Image => ({
  name: PAUSE_IMAGE,
  layers: [base],
  config: { Entrypoint: ['/bin/sleep', '2147483'], Env: [PATH] },
});

const nodeImage = (layers: readonly ImageLayer[]): Image => ({
  name: 'docker.io/library/node:24',
  layers,
  config: { Cmd: ['node'], Env: [PATH], WorkingDir: '/signalbox' },
});
