import { describe, expect, it } from '@jest/globals';
import { fieldsOnServer } from '../../../../client/manifests/offline/fields-on-server.ts';
import { renderJob } from '../../../../client/manifests/offline/render.ts';
import { validateManifest } from '../../../../client/manifests/offline/validate.ts';
import { PODS, type Pod } from '../../../../contracts/kubernetes.ts';
import { aManifest, aRole } from '../../../frameworks/manifests.ts';

const SPEC = 'spec.pytorchReplicaSpecs.Worker.template.spec';

/** A worker with a typo, a field of a later Kubernetes, and a container before its own. */
const manifest = aManifest()
  .with('spec.pytorchReplicaSpecs', {
    Worker: aRole({
      template: {
        metadata: { label: {} },
        spec: {
          nodeSelectr: {},
          laterField: 1,
          initContainers: [{ name: 'fetch', image: 'busybox', resource: {} }],
          containers: [{ name: 'pytorch', image: 'busybox' }],
        },
      },
    }),
  })
  .build();

async function said(warnings: readonly string[], { isRefused = false, added = false } = {}) {
  const { objects } = await renderJob(manifest, { strict: false });
  const pod = objects.find(({ kind }) => kind === PODS.kind) as Pod;
  const own = { name: 'wait', image: 'busybox' };
  const initContainers = [...(added ? [own] : []), ...(pod.spec.initContainers ?? [])];
  const answer = { pod: { ...pod, spec: { ...pod.spec, initContainers } }, isRefused, warnings };
  const { unknown, warnings: others } = fieldsOnServer(manifest, [answer, answer]);
  return { unknown: unknown.map(({ path, nearest, of }) => [path, nearest, of]), others };
}

const METADATA = ['spec.pytorchReplicaSpecs.Worker.template.metadata.label', 'labels', 'pod'];

describe('unknown fields of pods that an API server was asked about', () => {
  it('are those that the server names, once, with what was probably meant', async () => {
    expect(await said(['unknown field "spec.nodeSelectr"'])).toEqual({
      unknown: [METADATA, [`${SPEC}.nodeSelectr`, 'nodeSelector', 'pod-of-cluster']],
      others: [],
    });
  });

  it('include fields that only an older server does not know', async () => {
    expect(await said(['unknown field "spec.containers[0].image"'])).toEqual({
      unknown: [METADATA, [`${SPEC}.containers[0].image`, undefined, 'pod-of-cluster']],
      others: [],
    });
  });

  it('are named by the containers of the template', async () => {
    const { unknown } = await said(['unknown field "spec.initContainers[1].resource"'], { added: true });
    expect(unknown[1]).toEqual([`${SPEC}.initContainers[0].resource`, 'resources', 'pod-of-cluster']);
  });

  it('are those that signalbox does not know if the server has not read the pod', async () => {
    const { unknown } = await said([], { isRefused: true });
    expect(unknown.map(([path]) => path)).toEqual([
      METADATA[0],
      `${SPEC}.nodeSelectr`,
      `${SPEC}.laterField`,
      `${SPEC}.initContainers[0].resource`,
    ]);
  });

  it('are told beside what else the server warned of', async () => {
    const deprecated = 'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14';
    expect((await said([deprecated])).others).toEqual([
      `spec.pytorchReplicaSpecs.Worker.template: ${deprecated}`,
    ]);
  });
});

describe('a validation that will ask an API server', () => {
  it('leaves unknown fields of pods to it', () => {
    expect(validateManifest(manifest, { podsAreTried: true }).faults).toEqual([]);
  });

  it('names them if the job is not valid, because then nobody asks', () => {
    const { metadata: _, ...nameless } = manifest as { metadata: object };
    const { faults } = validateManifest({ ...nameless, metadata: {} }, { podsAreTried: true });
    expect(faults).toContainEqual(expect.objectContaining({ path: `${SPEC}.nodeSelectr` }));
  });
});
