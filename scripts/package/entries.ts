import { join } from 'node:path';
import { keysOf } from '../../language/fields.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Where the reports of the public types are checked in, a file for each entry. */
export const REPORTS = join(ROOT, 'api');

/** What programs import of the packages, by the name of its files: the module that exports it. */
export const ENTRIES = {
  client: { module: 'client/index.ts', subpath: '.' },
  manifests: { module: 'client/manifests/offline/index.ts', subpath: './manifests' },
  workflow: { module: 'pipelines/workflow.ts', subpath: './workflow' },
  activity: { module: 'pipelines/activity.ts', subpath: './activity' },
} as const;
export type EntryName = keyof typeof ENTRIES;

export const ENTRY_NAMES = keysOf(ENTRIES);

/** `exports` of a package whose library is in this folder, relative to the package. */
export function exportsOf(folder: string): object {
  const entries = ENTRY_NAMES.map((name) => [
    ENTRIES[name].subpath,
    {
      import: { types: `${folder}/${name}.d.mts`, default: `${folder}/${name}.mjs` },
      require: { types: `${folder}/${name}.d.cts`, default: `${folder}/${name}.cjs` },
    },
  ]);
  return {
    ...Object.fromEntries(entries),
    './schemas/*': './schemas/*',
    './package.json': './package.json',
  };
}
