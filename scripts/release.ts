import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../language/error-message.ts';
import { ROOT } from './package/entries.ts';
import { released } from './release/changelog.ts';
import { setVersion } from './release/versions.ts';

/**
 * `npm run release -- VERSION`: sets the version in all files that name it, and dates what is unreleased in CHANGELOG.md.
 * Changes files only: a person reads the changes, commits and tags them.
 */

const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const VERSION = /^\d+\.\d+\.\d+$/;

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`error: ${errorMessage(error)}`);
  process.exitCode = 1;
}

function main([version = '', ...more]: readonly string[]): void {
  if (!VERSION.test(version) || more.length > 0)
    throw new Error(`expected one version as in 1.2.3, got ${[version, ...more].join(' ') || 'none'}`);
  const date = new Date().toISOString().slice(0, 10);
  const changelog = released(readFileSync(CHANGELOG, 'utf8'), version, date);
  const files = setVersion(ROOT, version);
  writeFileSync(CHANGELOG, changelog);
  for (const file of [...files, 'CHANGELOG.md']) console.log(`changed ${file}`);
  console.log(
    `\nRead the changes, then:\n  git commit --all --message "Release ${version}"\n  git tag v${version}`,
  );
}
