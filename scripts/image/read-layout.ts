import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
