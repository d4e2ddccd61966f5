import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PREFERRED } from '../../runtime/node-runtime.mjs';
import { urlOf } from '../release/repository.ts';

/** What a release is built from besides its sources: it pins all the rest. */
const LOCKS = ['package-lock.json', 'python/requirements.txt'];

/**
 * Returns the predicate of https://slsa.dev/provenance/v1 for what is built of this checkout: the commit, what pins its
 * dependencies, and who builds. GitHub's variables say that; without them it was a person.
 */
export function provenance(root: string, env: NodeJS.ProcessEnv = process.env): object {
  const url = urlOf(root);
  const commit =
    env.GITHUB_SHA ?? execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const ref = env.GITHUB_REF ?? commit;
  const sources = { uri: `git+${url}@${ref}`, digest: { gitCommit: commit } };
  const locks = LOCKS.map((file) => ({
    uri: `git+${url}@${ref}#${file}`,
    digest: {
      sha256: createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex'),
    },
  }));
  const run =
    env.GITHUB_RUN_ID && `${url}/actions/runs/${env.GITHUB_RUN_ID}/attempts/${env.GITHUB_RUN_ATTEMPT}`;
  return {
    buildDefinition: {
      buildType: `${url}/blob/main/docs/releasing.md#provenance`,
      externalParameters: { repository: url, ref },
      internalParameters: { node: PREFERRED },
      resolvedDependencies: [sources, ...locks],
    },
    runDetails: {
      builder: {
        id: env.GITHUB_WORKFLOW_REF ? `https://github.com/${env.GITHUB_WORKFLOW_REF}` : `${url}#by-hand`,
      },
      ...(run && { metadata: { invocationId: run } }),
    },
  };
}
