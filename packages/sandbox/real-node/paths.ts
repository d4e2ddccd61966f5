import { join } from 'node:path';

/** The paths of one cluster of real nodes. */
export function clusterPaths(dir: string) {
  return {
    dir,
    sandbox: join(dir, 'sandbox'),
    logs: join(dir, 'logs'),
    /** Archives of images for every node. */
    images: join(dir, 'images'),
    /** Layers for images. */
    layers: join(dir, 'layers'),
    nodes: join(dir, 'nodes'),
    corefile: join(dir, 'Corefile'),
    record: join(dir, 'cluster.json'),
  };
}
