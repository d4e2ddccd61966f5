import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from '../worker/bundle.ts';
import { ROOT } from './package/entries.ts';
import { released } from './release/changelog.ts';
import { setValue } from './release/places.ts';
import { keepRelease } from './release/replay-set.ts';
import { ownerAndName, PLACEHOLDER, REPOSITORY_PLACES, repositoryOf } from './release/repository.ts';
import { VERSION_PLACES } from './release/versions.ts';
import { runScript } from './run-script.ts';

/**
 * `npm run release -- VERSION [--repository OWNER/NAME]`: sets the version in all files that name it, dates what is
 * unreleased in CHANGELOG.md, and keeps recorded histories and workflows for later versions. The first release also says
 * where the repository is on GitHub. Changes files only: a person reads the changes, commits and tags them.
 */

const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const VERSION = /^\d+\.\d+\.\d+$/;

await runScript(main);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { repository: { type: 'string' } },
  });
  const [version = '', ...more] = positionals;
  if (!VERSION.test(version) || more.length > 0)
    throw new Error(`expected one version as in 1.2.3, got ${positionals.join(' ') || 'none'}`);
  const repository = values.repository ? ownerAndName(values.repository) : repositoryOf(ROOT);
  if (repository === PLACEHOLDER)
    throw new Error(
      `package.json: expected the repository that publishes signalbox, got the placeholder ${PLACEHOLDER}.\n` +
        `Name it once: npm run release -- ${version} --repository OWNER/NAME`,
    );
  const date = new Date().toISOString().slice(0, 10);
  const changelog = released(readFileSync(CHANGELOG, 'utf8'), version, date);
  const { code: workflows } = await bundleWorkflows({ logger: new DefaultLogger('WARN') });
  keepRelease(join(ROOT, 'test/replay'), { version, workflows });
  const files = new Set([
    ...setValue(ROOT, REPOSITORY_PLACES, repository),
    ...setValue(ROOT, VERSION_PLACES, version),
    ...['CHANGELOG.md', 'test/replay/releases'],
  ]);
  writeFileSync(CHANGELOG, changelog);
  for (const file of files) console.log(`changed ${file}`);
  console.log(
    `\nRead the changes, then:\n  git add --all && git commit --message "Release ${version}"\n  git tag v${version}`,
  );
}
