import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../language/error-message.ts';
import { keysOf } from '../language/fields.ts';
import { makeArtifacts } from './artifacts/artifacts.ts';
import { PLATFORMS } from './image/platforms.ts';
import { missingForImage } from './image/requirements.ts';
import { ROOT } from './package/entries.ts';
import { checkRelease } from './release/check-release.ts';

/**
 * `npm run artifacts [-- --tag v1.2.3 --repository OWNER/NAME]`: makes all that a release publishes, in dist-release/. With
 * a tag and a repository it first checks that the checkout is a release of them.
 */

try {
  await main();
} catch (error) {
  console.error(`error: ${errorMessage(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tag: { type: 'string' }, repository: { type: 'string' } } });
  checkRelease(ROOT, values);
  const missing = missingForImage();
  if (missing.length > 0)
    throw new Error(`this machine cannot make the image:\n${missing.map((line) => `  ${line}`).join('\n')}`);
  const out = join(ROOT, 'dist-release');
  await makeArtifacts(out, keysOf(PLATFORMS));
  console.log(`all that a release publishes is in ${out}`);
}
