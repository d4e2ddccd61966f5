import { beforeEach, expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { revise } from '../../activities/revise.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { JobCache } from '../../activities/support/job-cache.ts';
import type { JobResource } from '../../contracts/job-resources.ts';
import type { SourceAnswer } from '../../contracts/job-revision.ts';
import { identityOfResource } from '../../contracts/resource-identity.ts';
import { aManifest, type ManifestBuilder } from '../frameworks/manifests.ts';

type ReviseRequest = Parameters<typeof revise>[1];

const TARGET = { namespace: 'ml', name: 'resnet', anchorUid: 'anchor-1' };
const RUNNING = { isSuspended: false, isRunning: true };
const { namespace, conventions } = aManifest().job();

let patches: {
  readonly metadata: { readonly annotations: object };
  readonly data?: { readonly job: string };
}[];

beforeEach(() => {
  patches = [];
});

const limited = () => aManifest().with('spec.runPolicy', { backoffLimit: 3 });

function revising(wanted: ManifestBuilder, more: Partial<ReviseRequest> = {}, found?: JobResource) {
  const source: SourceAnswer = {
    ...{ manifest: aManifest().build(), applying: wanted.build() },
    settings: { namespace, conventions, gangWarnings: [] },
    ...{ revision: 1, newest: 1 },
  };
  const dependencies = {
    jobs: new JobCache(),
    temporal: { workflow: { getHandle: () => ({ query: async () => source }) } },
    cluster: {
      patch: async (...call: unknown[]) => void patches.push(call[2] as (typeof patches)[number]),
      find: async () => found,
    },
  } as unknown as Dependencies;
  const context = { info: { workflowExecution: { workflowId: 'job/ml/resnet', runId: 'run-1' } } };
  return asyncLocalStorage.run(context as unknown as Context, () =>
    revise(dependencies, { ...TARGET, ...RUNNING, ...more }),
  );
}

/** The resource that says what a manifest says. */
const resourceOf = (manifest: ManifestBuilder, generation: number): JobResource => {
  const { metadata, ...others } = manifest.build() as unknown as JobResource;
  return { ...others, metadata: { ...metadata, namespace: 'ml', uid: 'u1', generation } };
};

it('writes the revision that the manifest makes to the anchor, and returns its plan', async () => {
  const { planned, ...others } = await revising(limited());
  expect(planned).toMatchObject({ plan: { runPolicy: { backoffLimit: 3 } }, revision: { number: 2 } });
  expect(others).toEqual({ changed: ['spec.runPolicy.backoffLimit'] });
  expect(JSON.parse(patches[0]!.data!.job)).toMatchObject({ revision: 2 });
});

it('writes nothing for a manifest that only suspends the job, or says the same', async () => {
  const suspended = aManifest().with('spec.runPolicy', { suspend: true });
  expect(await revising(suspended)).toEqual({ suspend: true, changed: ['spec.runPolicy.suspend'] });
  expect(await revising(aManifest())).toEqual({ changed: [] });
  expect(patches).toEqual([]);
});

it('writes which generation the job follows, also if nothing else changes', async () => {
  const same = resourceOf(aManifest(), 4);
  await revising(aManifest(), { resource: identityOfResource(same) }, same);
  const edited = resourceOf(limited(), 5);
  await revising(limited(), { resource: identityOfResource(edited) }, edited);
  expect(patches.map(({ metadata, data }) => [metadata.annotations, data !== undefined])).toEqual([
    [{ 'signalbox.dev/generation': '4', 'signalbox.dev/annotations-hash': null }, false],
    [expect.objectContaining({ 'signalbox.dev/generation': '5' }), true],
  ]);
  expect(JSON.parse(patches[1]!.data!.job)).toMatchObject({ resource: { uid: 'u1', generation: 5 } });
});

it('refuses what the resource does not say, before anything is written', async () => {
  const resource = resourceOf(aManifest(), 4);
  const refused = revising(limited(), { resource: identityOfResource(resource) }, resource);
  await expect(refused).rejects.toMatchObject({ reason: 'ResourceChanged' });
  expect(patches).toEqual([]);
});

it('throws all faults, and writes nothing', async () => {
  const wrong = aManifest()
    .with('metadata.name', 'other')
    .with('spec.pytorchReplicaSpecs.Worker.replicas', 7);
  await expect(revising(wrong)).rejects.toMatchObject({
    faults: [{ path: 'metadata.name' }, { path: 'spec.pytorchReplicaSpecs.Worker.replicas' }],
  });
  expect(patches).toEqual([]);
});
