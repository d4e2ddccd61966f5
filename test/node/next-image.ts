import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clusterPaths } from '@signalbox/sandbox/real-node';
import {
  archiveLayout,
  type ImageConfig,
  type ImageLayer,
  makeLayer,
  writeLayout,
} from '../../scripts/image/oci-layout.ts';
import { ownPlatform } from '../../scripts/image/platforms.ts';
import { setValue } from '../../scripts/release/places.ts';
import { VERSION_PLACES } from '../../scripts/release/versions.ts';
import { ROOT } from '../deploy/manifests.ts';
import { makeEngineImage } from './images.ts';

const run = promisify(execFile);

/** The version of the image that `makeNextImage` makes. */
export const NEXT_VERSION = '99.0.0';

/** A workflow that only this version has; it returns the version. */
export const NEXT_WORKFLOW = 'nextVersion';

/**
 * Makes the archive of the image of a later version: a copy of the checkout with another workflow, in which the version is
 * set as for a release, built anew. Debian, Node and packages are those of today's image.
 */
export async function makeNextImage(cluster: string): Promise<string> {
  await makeEngineImage(cluster);
  const { layers } = clusterPaths(cluster);
  const { config, lower } = partsOf(join(layers, 'engine'));
  // Below the checkout, where imports find its packages.
  const source = join(layers, 'next-source');
  const folder = join(layers, 'next');
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  for (const file of stdout.trim().split('\n'))
    if (!file.startsWith('test/')) cpSync(join(ROOT, file), join(source, file));
  setValue(source, VERSION_PLACES, NEXT_VERSION);
  appendFileSync(
    join(source, 'workflows/workflows.ts'),
    `\nexport const ${NEXT_WORKFLOW} = async () => '${NEXT_VERSION}';\n`,
  );
  const make = `(await import('./scripts/image/layers.ts')).makeAppFolder(${JSON.stringify(folder)})`;
  await run(process.execPath, ['--input-type=module', '--eval', make], { cwd: source });
  const app = await makeLayer(join(folder, 'app'), `${folder}.tar.gz`);
  const layout = `${folder}.layout`;
  const name = `docker.io/library/signalbox:${NEXT_VERSION}`;
  writeLayout(layout, name, [{ platform: ownPlatform(), config, layers: [...lower, app] }]);
  const archive = `${folder}.tar`;
  await archiveLayout(layout, archive);
  for (const path of [source, layout]) rmSync(path, { recursive: true });
  return archive;
}

interface Parts {
  readonly config: ImageConfig;
  /** All but signalbox itself. */
  readonly lower: readonly ImageLayer[];
}

/** Takes the image of a layout apart. */
function partsOf(layout: string): Parts {
  const fileOf = (digest: string) => join(layout, 'blobs/sha256', digest.slice('sha256:'.length));
  const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
  interface Index {
    readonly manifests: readonly { readonly digest: string }[];
  }
  interface Manifest {
    readonly config: { readonly digest: string };
    readonly layers: readonly { readonly digest: string }[];
  }
  interface Config {
    readonly config: ImageConfig;
    readonly rootfs: { readonly diff_ids: readonly string[] };
  }
  const index = read<Index>(fileOf(read<Index>(join(layout, 'index.json')).manifests[0]!.digest));
  const manifest = read<Manifest>(fileOf(index.manifests[0]!.digest));
  const { config, rootfs } = read<Config>(fileOf(manifest.config.digest));
  const layers = manifest.layers.map(({ digest }, at) => ({
    file: fileOf(digest),
    digest,
    diffId: rootfs.diff_ids[at]!,
  }));
  return { config, lower: layers.slice(0, -1) };
}
