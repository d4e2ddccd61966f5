import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { ROOT } from './entries.ts';

/** The licences of all packages whose code is in the bundles, as one text. Throws if a package names no licence. */
export function noticesFor(bundles: readonly Metafile[]): string {
  const notices = packageFoldersIn(bundles).map(noticeOf);
  return `This package has code of the following packages in its bundles.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Where the packages are whose code is in the bundles, relative to the checkout. */
export const packageFoldersIn = (bundles: readonly Metafile[]): readonly string[] =>
  [...new Set(bundles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder))].sort();

/** Nested packages have their own folder in that of the package that needs them. */
function packageFolder(input: string): string[] {
  const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
  return found ? [found[0]] : [];
}

function noticeOf(folder: string): string {
  const dir = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  if (!license) throw new Error(`${folder}/package.json names no license`);
  const texts = readdirSync(dir).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const text = texts.map((file) => readFileSync(join(dir, file), 'utf8').trim()).join('\n\n');
  return `${name} ${version} (${license})\n${text ? `\n${text}\n` : ''}`;
}
