import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './command.ts';

/** The used part of the `config` of an OCI image. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly WorkingDir?: string;
  readonly User?: string;
}

export interface Image {
  /** The name in manifests, e.g. `docker.io/library/node:24`. */
  readonly name: string;
  /** From `makeLayer`, lowest first. */
  readonly layers: readonly ImageLayer[];
  readonly config: ImageConfig;
}

export interface ImageLayer {
  readonly file: string;
  readonly digest: string;
}

/** Archives a folder as a layer whose files belong to root. */
export async function makeLayer(folder: string, file: string): Promise<ImageLayer> {
  const owner = ['--numeric-owner', '--owner=0', '--group=0'];
  await run('tar', ['--create', `--file=${file}`, `--directory=${folder}`, '--sort=name', ...owner, '.']);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { file, digest: `sha256:${hash.digest('hex')}` };
}

/** Writes an archive for `ctr images import`, without a registry or Docker. */
export async function writeImage({ name, layers, config }: Image, file: string): Promise<void> {
  const draft = `${file}.parts`;
  const blobs = join(draft, 'blobs', 'sha256');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(blobs, { recursive: true });
  const add = (content: object): Descriptor => {
    const bytes = Buffer.from(JSON.stringify(content));
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, digest), bytes);
    return { digest: `sha256:${digest}`, size: bytes.length };
  };
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const platform = { architecture, os: 'linux' };
  const rootfs = { type: 'layers', diff_ids: layers.map(({ digest }) => digest) };
  const configuration = add({ ...platform, rootfs, config });
  const manifest = add({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...configuration },
    layers: layers.map((layer) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar',
      digest: layer.digest,
      size: statSync(layer.file).size,
    })),
  });
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name };
  const index = {
    schemaVersion: 2,
    manifests: [{ mediaType: MANIFEST, ...manifest, platform, annotations }],
  };
  writeFileSync(join(draft, 'index.json'), JSON.stringify(index));
  writeFileSync(join(draft, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  for (const layer of layers) await run('ln', ['--force', layer.file, join(blobs, layer.digest.slice(7))]);
  await run('tar', ['--create', `--file=${file}.draft`, `--directory=${draft}`, '.']);
  renameSync(`${file}.draft`, file);
  rmSync(draft, { recursive: true });
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}
