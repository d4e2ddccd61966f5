import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manifestOfResource } from '../../../contracts/job-resources.ts';
import { CONFIG_MAPS, SERVICES } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../../contracts/labels.ts';
import { anchorUidOf, ownerUidOf } from '../../../contracts/objects.ts';
import { identityOfResource } from '../../../contracts/resource-identity.ts';
import { eventually } from '../../eventually.ts';
import { PYTORCH } from '../../scenarios/bridged-stage.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from '../../scenarios/kubectl.ts';
import { simulatedJob } from '../../scenarios/manifests.ts';
import { type ActivityStage, type Admitted, openActivityStage } from '../activity-stage.ts';

/** A custom resource owns the objects of its job together with the anchor. They stay when the anchor goes. */

let stage: ActivityStage;
let kubectl: Kubectl;

beforeAll(async () => {
  stage = await openActivityStage('native');
  kubectl = await openKubectl(stage);
  await applyDefinitions(kubectl);
});

afterAll(async () => {
  await kubectl('delete', 'pytorchjobs', '--all');
  await stage.close();
  await deleteDefinitions(kubectl);
});

async function applied(name: string): Promise<() => Promise<Admitted>> {
  const { namespace } = stage;
  await kubectl.apply([simulatedJob({ name, namespace, worker: { replicas: 2 } })]);
  const resource = await stage.cluster.get(PYTORCH, namespace, name);
  return () => stage.admit(manifestOfResource(resource), identityOfResource(resource));
}

/** Tries as a worker does, while objects of the earlier anchor are in the way. */
async function startedAgain(run: Admitted) {
  const request = { ...run, attempt: 1, succeededIndices: {}, asGang: true, from: 0, to: 3 };
  await eventually('its objects are created', () =>
    stage.as((all) => all.createAttempt(request), { attempt: 2 }),
  );
  return stage.pods(run.job.name);
}

const uidsOf = (pods: Awaited<ReturnType<ActivityStage['start']>>) =>
  pods.map(({ metadata }) => metadata.uid);

describe('of a custom resource', () => {
  it('a run that claims the name from another run deletes what that has left', async () => {
    const admit = await applied('claimed');
    const first = await admit();
    await stage.start(first, 1);
    await stage.cluster.patch(
      CONFIG_MAPS,
      { namespace: stage.namespace, name: anchorNameOf('claimed') },
      { metadata: { annotations: { [ANNOTATIONS.firstRunId]: 'another' } } },
    );

    const second = await eventually('the name is free', admit);

    expect(second.anchorUid).not.toBe(first.anchorUid);
    expect(await stage.pods('claimed')).toEqual([]);
    expect(await stage.objects()).toEqual(['ConfigMap/claimed.signalbox']);
    await stage.start(second, 1);
    await stage.as((all) => all.cleanUp({ ...second, scope: 'Everything' }));
  });

  it('what has lost its anchor is made anew', async () => {
    const admit = await applied('orphaned');
    const first = await admit();
    const earlier = new Set(uidsOf(await stage.start(first, 1)));
    await kubectl('delete', 'configmap', anchorNameOf('orphaned'));
    await eventually('garbage collection has taken the anchor off the owners', async () => {
      const pods = await stage.pods('orphaned');
      return pods.length > 0 && pods.every((pod) => ownerUidOf(pod) === undefined);
    });

    const second = await admit();
    const pods = await startedAgain(second);

    expect(pods.filter(({ metadata }) => earlier.has(metadata.uid))).toEqual([]);
    expect(pods.map(anchorUidOf)).toEqual(pods.map(() => second.anchorUid));
  });

  it('what another operator has made for it stays', async () => {
    const { namespace, cluster } = stage;
    const run = await (await applied('operated'))();
    const { apiVersion, kind, uid } = run.job.resource!;
    const owner = { apiVersion, kind, name: 'operated', uid, controller: true };
    const metadata = { namespace, name: 'operated-worker-0', ownerReferences: [owner] };
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None' } };
    const { metadata: made } = await cluster.create(SERVICES, service);

    await expect(stage.start(run, 1)).rejects.toThrow(
      `Service ${namespace}/operated-worker-0 already exists and belongs to PyTorchJob operated`,
    );
    const found = await cluster.get(SERVICES, namespace, 'operated-worker-0');
    expect(found.metadata.uid).toBe(made.uid);
  });
});
