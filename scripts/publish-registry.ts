import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './package/entries.ts';
import { publishToRegistry } from './publish/publish.ts';
import { registryOf } from './release/repository.ts';
import { runScript } from './run-script.ts';

/**
 * `npm run publish:registry [-- --registry HOST/PATH --key FILE --folder FOLDER]`: pushes image and chart of dist-release/
 * to a registry, by default that of the repository, signs them there, attests their provenance and contents, and signs
 * the checksums. Without a key cosign asks the CI system who signs. COSIGN_PASSWORD: of the key.
 */

await runScript(async () => {
  const { values } = parseArgs({
    options: { registry: { type: 'string' }, key: { type: 'string' }, folder: { type: 'string' } },
  });
  await publishToRegistry({
    folder: values.folder ?? join(ROOT, 'dist-release'),
    registry: values.registry ?? registryOf(ROOT),
    key: values.key,
  });
});
