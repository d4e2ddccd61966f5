import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An OCI image layout, read as any other program reads it. */

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string; readonly os: string };
}

export interface LayoutImage {
  readonly platform: string;
  readonly digest: string;
  /** Of all layers, compressed. */
  readonly bytes: number;
  readonly layers: readonly string[];
}

/** A file as `tar --verbose` lists it. */
export interface ListedFile {
  readonly mode: string;
  readonly owner: string;
  readonly path: string;
}

/** The images of the one index of a layout. */
export function imagesOf(layout: string): readonly LayoutImage[] {
  const blob = ({ digest }: Descriptor) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const [index] = read(join(layout, 'index.json')).manifests as readonly [Descriptor];
  const images = read(blob(index)).manifests as readonly Descriptor[];
  return images.map((image) => {
    const { layers } = read(blob(image)) as { readonly layers: readonly Descriptor[] };
    return {
      platform: `${image.platform!.os}/${image.platform!.architecture}`,
      digest: image.digest,
      bytes: layers.reduce((sum, { size }) => sum + size, 0),
      layers: layers.map(blob),
    };
  });
}

export function filesOf({ layers }: LayoutImage): readonly ListedFile[] {
  return layers.flatMap((layer) =>
    tar('--list', '--verbose', '--numeric-owner', `--file=${layer}`)
      .split('\n')
      .flatMap((line) => {
        const [, mode, owner, path] = /^(\S+) (\S+) +\d+ \S+ \S+ \.\/(.*?)(?: -> .*)?$/.exec(line) ?? [];
        return path ? [{ mode: mode!, owner: owner!, path }] : [];
      }),
  );
}

/** Unpacks what is below a path of the image. */
export function unpack({ layers }: LayoutImage, path: string, into: string): void {
  for (const layer of layers)
    if (tar('--list', `--file=${layer}`).includes(`./${path}`))
      tar('--extract', `--file=${layer}`, `--directory=${into}`, `./${path}`);
}

const tar = (...args: readonly string[]) =>
  execFileSync('tar', [...args, '--gzip'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
