import { join } from 'node:path';

/** Where everything of one cluster of real nodes lives. */
export function clusterPaths(dir: string) {
  return {
    dir,
    sandbox: join(dir, 'sandbox'),
    logs: join(dir, 'logs'),
    /** Archives of the images that every node gets. */
    images: join(dir, 'images'),
    /** What images are made of. */
    layers: join(dir, 'layers'),
    nodes: join(dir, 'nodes'),
    corefile: join(dir, 'Corefile'),
    record: join(dir, 'cluster.json'),
  };
}
