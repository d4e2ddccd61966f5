import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/package/entries.ts';
import { provenance } from '../../scripts/publish/provenance.ts';
import { urlOf } from '../../scripts/release/repository.ts';

const url = urlOf(ROOT);
const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);

test('the provenance of a release names its commit, tag, lock files and the run that built it', () => {
  const env = {
    ...{
      GITHUB_SHA: 'a'.repeat(40),
      GITHUB_REF: 'refs/tags/v1.2.3',
      GITHUB_RUN_ID: '7',
      GITHUB_RUN_ATTEMPT: '2',
    },
    GITHUB_WORKFLOW_REF: 'acme/signalbox/.github/workflows/release.yml@refs/tags/v1.2.3',
  };
  const from = `git+${url}@refs/tags/v1.2.3`;
  expect(provenance(ROOT, env)).toEqual({
    buildDefinition: {
      buildType: `${url}/blob/main/docs/releasing.md#provenance`,
      externalParameters: { repository: url, ref: 'refs/tags/v1.2.3' },
      internalParameters: { node: expect.any(String) },
      resolvedDependencies: [
        { uri: from, digest: { gitCommit: 'a'.repeat(40) } },
        { uri: `${from}#package-lock.json`, digest: { sha256 } },
        { uri: `${from}#python/requirements.txt`, digest: { sha256 } },
      ],
    },
    runDetails: {
      builder: {
        id: 'https://github.com/acme/signalbox/.github/workflows/release.yml@refs/tags/v1.2.3',
      },
      metadata: { invocationId: `${url}/actions/runs/7/attempts/2` },
    },
  });
});

test('outside of a CI system it names the commit of the checkout, and nobody as the builder', () => {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  expect(provenance(ROOT, {})).toMatchObject({
    buildDefinition: {
      resolvedDependencies: expect.arrayContaining([
        { uri: `git+${url}@${commit}`, digest: { gitCommit: commit } },
      ]),
    },
    runDetails: { builder: { id: `${url}#by-hand` } },
  });
});
