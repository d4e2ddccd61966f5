import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobResource } from '../../contracts/job-resources.ts';
import { CONFIG_MAPS, NAMESPACES, PODS, SERVICES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS, workflowIdOf } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type BridgedStage, openBridgedStage, PYTORCH } from './bridged-stage.ts';
import { applyDefinitions, type Kubectl } from './kubectl.ts';
import { type Manifest, SUCCEEDS, simulatedJob } from './manifests.ts';
import { type Stage, untilLeft } from './stage.ts';

/** Custom resources as others make, keep and delete them. All parts have the rights of an installation. */

const ENDS = { master: { annotations: SUCCEEDS }, worker: { annotations: SUCCEEDS } };
const FINALIZER = 'example.com/keeps';

let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;

beforeAll(async () => {
  on = await openBridgedStage();
  ({ stage, kubectl } = on);
});

afterAll(() => on.close());

const manifestOf = (name: string, options = {}) =>
  simulatedJob({ name, namespace: stage.namespace, ...options });

const withMetadata = (manifest: Manifest, metadata: object) => ({
  ...manifest,
  metadata: { ...manifest.metadata, ...metadata },
});

const untilStopped = (name: string, namespace = stage.namespace) =>
  eventually(`the workflow of ${name} has ended Stopped`, async () => {
    const handle = stage.temporal.workflow.getHandle(workflowIdOf({ namespace, name }));
    const { status } = await handle.describe();
    if (status.name !== 'COMPLETED') {
      const is = await statusOf(stage.client.job({ namespace, name }));
      throw new Error(`its workflow is ${status.name}, the job ${is.state}: ${is.cause?.message}`);
    }
    const { phase } = (await handle.result()) as { readonly phase: string };
    return phase === 'Stopped';
  });

/** Objects that kubectl cannot apply: it would store them once more in an annotation. */
const created = (object: object) => stage.cluster.create(PYTORCH, object as JobResource);

describe('a resource', () => {
  it('that a finalizer of somebody keeps shows its job until it is gone', async () => {
    await kubectl.apply([withMetadata(manifestOf('kept'), { finalizers: [FINALIZER] })]);
    await on.untilPhase('kept', 'Running');
    await kubectl('delete', 'pytorchjob', 'kept', '--wait=false', '--cascade=foreground');
    // Its anchor goes first, so the job ends.
    await untilStopped('kept');
    const { metadata, status } = await on.untilPhase('kept', 'Stopped');
    expect(metadata).toMatchObject({ deletionTimestamp: expect.anything(), finalizers: [FINALIZER] });
    expect(status!.conditions!.at(-1)).toMatchObject({ type: 'Failed', status: 'True' });
    await kubectl('patch', 'pytorchjob', 'kept', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
    await kubectl('wait', '--for=delete', 'pytorchjob/kept', '--timeout=60s');
    await untilLeft(stage, 'kept', []);
  });

  it('that is a copy of another, with its uid and status, has a job of its own', async () => {
    await kubectl.apply([manifestOf('original', ENDS)]);
    const { status, metadata: of } = await on.untilPhase('original', 'Completed');
    const { uid, generation, creationTimestamp } = of;
    const copy = withMetadata(manifestOf('copy'), { uid, generation, creationTimestamp });
    await kubectl.apply([{ ...copy, status }]);
    const { metadata, status: own } = await on.untilPhase('copy', 'Running');
    expect(metadata.uid).not.toBe(uid);
    expect(own!.runId).not.toBe(status!.runId);
    await kubectl('delete', 'pytorchjob', 'original');
    await untilLeft(stage, 'original', []);
    expect((await on.resourceOf('copy')).status!.phase).toBe('Running');
    await kubectl('delete', 'pytorchjob', 'copy');
    await untilStopped('copy');
  });

  it('whose workflow is terminated keeps no pods, also if its anchor has lost the job', async () => {
    const { namespace, cluster, temporal } = stage;
    await kubectl.apply([manifestOf('cut')]);
    await on.untilPhase('cut', 'Running');
    // Of the owners of its pods only the anchor goes, or none.
    await cluster.patch(CONFIG_MAPS, { namespace, name: anchorNameOf('cut') }, { data: { job: null } });
    await temporal.workflow.getHandle(workflowIdOf({ namespace, name: 'cut' })).terminate();
    await eventually('its pods and Services are gone', async () => {
      const labelSelector = `${LABELS.job}=cut`;
      const left = [PODS, SERVICES].map((one) => cluster.list(one, { namespace, labelSelector }));
      return (await Promise.all(left)).every(({ items }) => items.length === 0);
    });
    await on.untilPhase('cut', 'Stopped');
  });

  it('shows the end of its job again after somebody has damaged every record of it', async () => {
    const { namespace, cluster } = stage;
    await kubectl.apply([manifestOf('damaged', ENDS)]);
    const { status: shown } = await on.untilPhase('damaged', 'Completed');
    const name = anchorNameOf('damaged');
    await cluster.patch(CONFIG_MAPS, { namespace, name }, { data: { status: '{"phase":' } });
    await cluster.patch(PYTORCH, { namespace, name: 'damaged', subresource: 'status' }, { status: null });
    const { status } = await on.untilPhase('damaged', 'Completed');
    expect(status!.runId).toBe(shown!.runId);
    expect(status!.conditions!.at(-1)).toMatchObject({ type: 'Succeeded', status: 'True' });
  });

  it('shows no end that only ConfigMaps say, be they in another namespace or its own', async () => {
    const { namespace, cluster } = stage;
    await kubectl.apply([manifestOf('slandered')]);
    const { metadata } = await on.untilPhase('slandered', 'Running');
    const elsewhere = `${namespace}-evil`;
    await kubectl('create', 'namespace', elsewhere);
    const anchor = await cluster.get(CONFIG_MAPS, namespace, anchorNameOf('slandered'));
    const lie = {
      at: new Date().toISOString(),
      phase: 'Completed',
      state: 'Completed',
      attempt: 1,
      cause: 'a lie',
    };
    const ended = {
      ...lie,
      cause: undefined,
      conditions: [{ type: 'Succeeded', status: 'True' }],
      timeline: [lie],
    };
    const data = { ...anchor.data, status: JSON.stringify(ended) };
    const annotations = { ...anchor.metadata.annotations, [ANNOTATIONS.phase]: 'Completed' };
    const { labels, ownerReferences } = anchor.metadata;
    // No owner that exists: else Kubernetes collects it.
    const owners = ownerReferences!.map((owner) => ({ ...owner, kind: 'Nothing' }));
    for (const name of [anchor.metadata.name, 'lie.signalbox']) {
      const forged = { name, namespace: elsewhere, labels, annotations, ownerReferences: owners };
      await cluster.create(CONFIG_MAPS, { ...anchor, metadata: forged, data });
    }
    // An edit is followed, which it is not once a job has ended.
    const edit = '{"spec":{"runPolicy":{"backoffLimit":3}}}';
    await kubectl('patch', 'pytorchjob', 'slandered', '--type=merge', '-p', edit);
    await on.until('slandered', 'follows its edit', ({ status }) => status?.appliedGeneration === 2);
    await kubectl('delete', 'namespace', elsewhere);
    const own = { namespace, name: anchor.metadata.name };
    await cluster.patch(CONFIG_MAPS, own, { metadata: { annotations }, data });
    await stage.client.job({ name: 'slandered' }).stop({});
    const resource = await on.untilPhase('slandered', 'Stopped');
    expect(resource.metadata.uid).toBe(metadata.uid);
    expect(resource.status!.conditions!.map(({ type }) => type)).not.toContain('Succeeded');
    expect((await on.eventsOf(resource)).map(({ message }) => message)).not.toContain('a lie');
    await kubectl('delete', 'pytorchjob', 'slandered');
  });

  it('does not expire because somebody has written so on its anchor', async () => {
    const { namespace, cluster } = stage;
    await kubectl.apply([manifestOf('lasting', ENDS)]);
    await on.untilPhase('lasting', 'Completed');
    const anchor = { namespace, name: anchorNameOf('lasting') };
    const expired = '2020-01-01T00:00:00Z';
    const annotations = { [ANNOTATIONS.expiresAt]: expired };
    const { metadata } = await cluster.patch(CONFIG_MAPS, anchor, { metadata: { annotations } });
    await eventually('its anchor is corrected', async () => {
      const now = await cluster.get(CONFIG_MAPS, namespace, anchor.name);
      expect(now.metadata.uid).toBe(metadata.uid);
      return now.metadata.annotations?.[ANNOTATIONS.expiresAt] !== expired;
    });
    expect((await on.resourceOf('lasting')).metadata.deletionTimestamp).toBeUndefined();
  });

  it('of a megabyte is refused with its reason, and harms no other', async () => {
    await created(withMetadata(manifestOf('huge'), { annotations: { notes: 'x'.repeat(200_000) } }));
    const big = withEnvironment(manifestOf('bigger'), 'x'.repeat(1_000_000));
    await created(big);
    const { status } = await on.untilPhase('bigger', 'Failed');
    expect(status).toMatchObject({
      reason: 'InvalidManifest',
      message: expect.stringContaining('at most 524,288 bytes'),
    });
    expect(await untilLeft(stage, 'bigger', [])).toEqual([]);
    await on.untilPhase('huge', 'Running');
  });

  it('with the longest name that an API server takes is refused with its reason, in an event, too', async () => {
    const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
    expect(name).toHaveLength(253);
    await kubectl.apply([manifestOf(name)]);
    const resource = await on.untilPhase(name, 'Failed');
    expect(resource.status).toMatchObject({
      reason: 'InvalidManifest',
      message: expect.stringContaining('metadata.name'),
    });
    expect(await on.eventsOf(resource)).toEqual([
      expect.objectContaining({ type: 'Warning', reason: 'PyTorchJobFailedValidation' }),
    ]);
  });
});

function withEnvironment(manifest: Manifest, value: string): object {
  const { Master } = manifest.spec.pytorchReplicaSpecs as Readonly<Record<string, Role>>;
  const [container] = Master!.template.spec.containers;
  const containers = [{ ...container, env: [{ name: 'DATA', value }] }];
  const template = { ...Master!.template, spec: { ...Master!.template.spec, containers } };
  return {
    ...manifest,
    spec: { ...manifest.spec, pytorchReplicaSpecs: { Master: { ...Master, template } } },
  };
}

interface Role {
  readonly template: { readonly spec: { readonly containers: readonly object[] } };
}

describe('a namespace that is deleted', () => {
  it('takes its resources, jobs and pods with it', async () => {
    const namespace = `${stage.namespace}-other`;
    await kubectl('create', 'namespace', namespace);
    await kubectl.apply([simulatedJob({ name: 'inside', namespace })], '-n', namespace);
    await kubectl('wait', '-n', namespace, '--for=condition=Running', 'pytorchjob/inside', '--timeout=60s');
    await kubectl('delete', 'namespace', namespace, '--timeout=120s');
    expect(await stage.cluster.find(NAMESPACES, undefined, namespace)).toBeUndefined();
    await untilStopped('inside', namespace);
  });
});

describe('definitions that are deleted', () => {
  it('stop the jobs, and the bridge goes on when they are back', async () => {
    await kubectl.apply([manifestOf('defined')]);
    await on.untilPhase('defined', 'Running');
    await kubectl('delete', 'crd', 'pytorchjobs.kubeflow.org', '--timeout=120s');
    await untilStopped('defined');
    await untilLeft(stage, 'defined', []);
    await applyDefinitions(kubectl);
    await kubectl.apply([manifestOf('defined', ENDS)]);
    await on.untilPhase('defined', 'Completed');
  });
});
