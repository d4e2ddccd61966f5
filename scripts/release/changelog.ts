const HEADING = '## Unreleased\n';

/**
 * Returns the changelog in which what was unreleased is that of a version. Throws if nothing is unreleased, or if the
 * version is there already. `date`: YYYY-MM-DD.
 */
export function released(changelog: string, version: string, date: string): string {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has version ${version} already`);
  const [before, after] = changelog.split(HEADING);
  if (after === undefined) throw new Error('CHANGELOG.md: expected a heading "Unreleased", got none');
  const [changes] = after.split(/^## /m);
  if (changes!.trim() === '') throw new Error('CHANGELOG.md: expected changes below "Unreleased", got none');
  return `${before}${HEADING}\n## ${version} (${date})\n${after}`;
}
