import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DEBIAN_KEYS } from './system.ts';

/** The programs and files that making the image needs, and the Debian packages that have them. */
const NEEDED = {
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
  tar: 'tar',
  [DEBIAN_KEYS]: 'debian-archive-keyring',
};

/** Says, a line for each, what this machine lacks to make the image. */
export const missingForImage = (): readonly string[] => missingOf(NEEDED);

/** Throws with a line for each thing that this machine lacks to make the image. `otherwise`: what else one can do. */
export function requireForImage(otherwise = ''): void {
  const missing = missingForImage().map((line) => `\n  ${line}`);
  if (missing.length > 0)
    throw new Error(`this machine cannot make the image:${missing.join('')}${otherwise && `\n${otherwise}`}`);
}

/** Of programs and files, by the Debian package of each. */
export function missingOf(
  needed: Readonly<Record<string, string>>,
  path = process.env.PATH ?? '',
): readonly string[] {
  const isHere = (name: string) =>
    name.startsWith('/')
      ? existsSync(name)
      : path.split(delimiter).some((folder) => existsSync(join(folder, name)));
  return Object.entries(needed).flatMap(([name, debian]) =>
    isHere(name) ? [] : [`${name} is missing: apt-get install ${debian}`],
  );
}
