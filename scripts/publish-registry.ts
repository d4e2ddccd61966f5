import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../language/error-message.ts';
import { ROOT } from './package/entries.ts';
import { publishToRegistry } from './publish/publish.ts';
import { registryOf } from './release/repository.ts';

/**
 * `npm run publish:registry [-- --registry HOST/PATH --key FILE --folder FOLDER]`: pushes image and chart of dist-release/
 * to a registry, by default that of the repository, signs them there, attests their provenance and contents, and signs
 * the checksums. Without a key cosign asks the CI system who signs. COSIGN_PASSWORD: of the key.
 */

try {
  const { values } = parseArgs({
    options: { registry: { type: 'string' }, key: { type: 'string' }, folder: { type: 'string' } },
  });
  await publishToRegistry({
    folder: values.folder ?? join(ROOT, 'dist-release'),
    registry: values.registry ?? registryOf(ROOT),
    key: values.key,
  });
} catch (error) {
  console.error(`error: ${errorMessage(error)}`);
  process.exitCode = 1;
}
