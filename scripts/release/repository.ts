import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from './places.ts';

/** Nobody has said yet where the project is published. Registries compare it with where a package was built. */
export const PLACEHOLDER = 'OWNER/signalbox';

const GITHUB = 'https://github.com';
/** The registry of images and charts. */
const IMAGES = 'ghcr.io';

const ON_GITHUB = /github\.com\/([\w.-]+\/[\w-]+)/g;

/** Where the repository stands, as OWNER/NAME. */
export const REPOSITORY_PLACES: Places = {
  'package.json': [ON_GITHUB],
  'python/pyproject.toml': [ON_GITHUB],
  'charts/signalbox/Chart.yaml': [ON_GITHUB],
  'docs/releasing.md': [/^repository=(.+)$/gm],
};

/** Returns OWNER/NAME, as package.json has it. */
export function repositoryOf(root: string): string {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly repository: { readonly url: string };
  };
  return repository.url.slice(`git+${GITHUB}/`.length, -'.git'.length);
}

/** Returns the text, or throws if it names no repository. */
export function ownerAndName(text: string): string {
  if (/^[\w.-]+\/[\w-]+$/.test(text)) return text;
  throw new Error(`--repository: expected OWNER/NAME on GitHub, got ${text}`);
}

/** Returns the address of the repository. */
export const urlOf = (root: string): string => `${GITHUB}/${repositoryOf(root)}`;

/** Returns where images and charts are published; registries know no capitals. */
export const registryOf = (root: string): string =>
  `${IMAGES}/${repositoryOf(root).split('/')[0]!.toLowerCase()}`;

/** Of the image in that registry. The chart of the same name is in `charts/`. */
export const IMAGE_PATH = 'signalbox';
