import { execFileSync } from 'node:child_process';
import type { LayoutImage } from '../../scripts/image/read-layout.ts';

/** The files of an image, as any other program reads them. */

/** A file as `tar --verbose` lists it. */
export interface ListedFile {
  readonly mode: string;
  readonly owner: string;
  readonly path: string;
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
