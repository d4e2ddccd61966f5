import { describe, expect, it } from '@jest/globals';
import { admit } from '../../activities/admit.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { JobCache } from '../../activities/support/job-cache.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { parseLanePlace } from '../../contracts/lane-request.ts';
import { parseLanes } from '../../contracts/schemas/lanes.ts';
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

describe('the anchor of a job in a lane', () => {
  const read = parseLanes({ lanes: { all: { capacity: { pods: 4 } } }, defaultLane: 'all' });

  async function placeOf(manifest: unknown, more: object = {}) {
    const created: ConfigMap[] = [];
    const cluster = {
      serves: async () => false,
      create: async (_: unknown, anchor: ConfigMap) => {
        created.push(anchor);
        return { ...anchor, metadata: { ...anchor.metadata, uid: 'anchor-1' } };
      },
    };
    const dependencies = {
      ...{ namespace: 'ml', conventions: DEFAULT_CONVENTIONS, installation: 'here', cluster, gang: 'none' },
      lanes: async () => ('lanes' in read ? read.lanes : undefined),
      clusterId: async () => 'here',
      jobs: new JobCache(),
    } as unknown as Dependencies;
    const run = { workflowId: 'job/ml/resnet', firstRunId: 'run-1' };
    await admit(dependencies, { ...run, manifest, submitter: 'ada', ...more });
    return parseLanePlace(created[0]!.metadata.annotations?.[ANNOTATIONS.lanePlace]);
  }

  it('has its place from the beginning', async () => {
    expect(await placeOf(aManifest().build())).toMatchObject({ attempt: 1, user: 'ada' });
  });

  it('has none while the job does not want to start', async () => {
    const suspended = aManifest().with('spec.runPolicy.suspend', true).build();
    expect([await placeOf(suspended), await placeOf(aManifest().build(), { isStopped: true })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
