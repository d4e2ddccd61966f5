import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keysOf } from '../language/fields.ts';
import { makeArtifacts } from './artifacts/artifacts.ts';
import { PLATFORMS } from './image/platforms.ts';
import { requireForImage } from './image/requirements.ts';
import { ROOT } from './package/entries.ts';
import { checkRelease } from './release/check-release.ts';
import { runScript } from './run-script.ts';

/**
 * `npm run artifacts [-- --tag v1.2.3 --repository OWNER/NAME]`: makes all that a release publishes, in dist-release/. With
 * a tag and a repository it first checks that the checkout is a release of them.
 */

await runScript(main);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tag: { type: 'string' }, repository: { type: 'string' } } });
  checkRelease(ROOT, values);
  requireForImage();
  const out = join(ROOT, 'dist-release');
  await makeArtifacts(out, keysOf(PLATFORMS));
  console.log(`all that a release publishes is in ${out}`);
}
