import { expect, it } from '@jest/globals';
import { admit } from '../../activities/admit.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { DEFAULT_CONVENTIONS } from '../../contracts/training-job.ts';
import { aManifest } from '../frameworks/manifests.ts';

it('a job of a namespace that the installation does not serve is refused before anything is asked of the cluster', async () => {
  const { metadata, ...manifest } = aManifest().build() as { metadata: object };
  const request = {
    ...{ workflowId: 'job/team-c/resnet', firstRunId: 'run-1' },
    manifest: { ...manifest, metadata: { ...metadata, namespace: 'team-c' } },
  };
  const dependencies = {
    ...{ namespace: 'default', namespaces: ['team-a', 'team-b'], conventions: DEFAULT_CONVENTIONS },
  } as unknown as Dependencies;
  await expect(admit(dependencies, request)).rejects.toThrow(
    'metadata.namespace: expected a namespace that this installation serves (team-a, team-b), got "team-c"',
  );
});
