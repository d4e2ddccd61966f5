import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { secondsOfFiles, writeArchiveOf } from '../artifacts/archive.ts';
import { type ImagePlatform, ownPlatform } from './platforms.ts';

const run = promisify(execFile);

/** The used part of the `config` of an OCI image. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly WorkingDir?: string;
  readonly User?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
  readonly Labels?: Readonly<Record<string, string>>;
}

export interface Image {
  readonly platform: ImagePlatform;
  /** From `makeLayer`, lowest first. */
  readonly layers: readonly ImageLayer[];
  readonly config: ImageConfig;
}

interface WrittenImage {
  readonly platform: ImagePlatform;
  /** Of its manifest. */
  readonly digest: string;
  /** Of its layers, compressed. */
  readonly bytes: number;
}

export interface ImageLayer {
  readonly file: string;
  /** Of the file, which is compressed. */
  readonly digest: string;
  /** Of what is in it. */
  readonly diffId: string;
}

/** Archives a folder as a layer. */
export async function makeLayer(folder: string, file: string): Promise<ImageLayer> {
  const { content, compressed } = await writeArchiveOf(folder, '.', file);
  return { file, digest: `sha256:${compressed}`, diffId: `sha256:${content}` };
}

/**
 * Writes an OCI image layout, whose only entry is an index of an image for each platform. `name` is the whole one, e.g.
 * `docker.io/library/signalbox:0.1.0`. Archived, it is also what every version of `docker load` takes: for this machine's
 * platform, or the first.
 */
export function writeLayout(dir: string, name: string, images: readonly Image[]): readonly WrittenImage[] {
  rmSync(dir, { recursive: true, force: true });
  const blobs = join(dir, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const add = (mediaType: string, content: object): Descriptor => {
    const bytes = Buffer.from(JSON.stringify(content));
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, digest), bytes);
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
  };
  const addImage = ({ platform, layers, config }: Image): Descriptor => {
    for (const { file, digest } of layers) copyFileSync(file, join(blobs, digest.slice('sha256:'.length)));
    const system = { architecture: platform, os: 'linux' };
    const rootfs = { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) };
    const created = new Date(secondsOfFiles() * 1000).toISOString();
    const manifest = {
      schemaVersion: 2,
      mediaType: `${OCI}.manifest.v1+json`,
      config: add(`${OCI}.config.v1+json`, { created, ...system, config, rootfs }),
      layers: layers.map(({ file, digest }) => ({
        mediaType: `${OCI}.layer.v1.tar+gzip`,
        digest,
        size: statSync(file).size,
      })),
    };
    return { ...add(manifest.mediaType, manifest), platform: system };
  };
  const manifests = images.map(addImage);
  const index = { schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests };
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name };
  const entry = { ...add(index.mediaType, index), annotations };
  writeFileSync(join(dir, 'index.json'), JSON.stringify({ ...index, manifests: [entry] }));
  writeFileSync(join(dir, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const own = images.findIndex(({ platform }) => platform === ownPlatform());
  writeFileSync(
    join(dir, 'manifest.json'),
    JSON.stringify([entryOfDocker(dir, name, manifests[Math.max(own, 0)]!)]),
  );
  return images.map(({ platform, layers }, at) => ({
    platform,
    digest: manifests[at]!.digest,
    bytes: layers.reduce((sum, { file }) => sum + statSync(file).size, 0),
  }));
}

/** An image in Docker's own list of them, which engines before version 25 read instead of the index. */
function entryOfDocker(dir: string, name: string, image: Descriptor): object {
  const pathOf = ({ digest }: Descriptor) => join('blobs', digest.replace(':', '/'));
  const { config, layers } = JSON.parse(readFileSync(join(dir, pathOf(image)), 'utf8')) as {
    readonly config: Descriptor;
    readonly layers: readonly Descriptor[];
  };
  return { Config: pathOf(config), RepoTags: [name], Layers: layers.map(pathOf) };
}

/** Makes one file of a layout, as `ctr images import`, `podman load` and `docker load` take it. */
export async function archiveLayout(dir: string, file: string): Promise<void> {
  const files = ['oci-layout', 'index.json', 'manifest.json', 'blobs'];
  await run('tar', ['--create', `--file=${file}`, `--directory=${dir}`, ...files]);
}

const OCI = 'application/vnd.oci.image';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: object;
}
