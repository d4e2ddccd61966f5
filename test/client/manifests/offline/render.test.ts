import { describe, expect, test } from '@jest/globals';
import { renderJob } from '../../../../client/manifests/offline/render.ts';
import { GANG_CHOICES } from '../../../../contracts/training-job.ts';
import { asFields } from '../../../../language/fields.ts';
import { readCorpus } from '../../../corpus/corpus.ts';
import { aManifest } from '../../../frameworks/manifests.ts';

const manifest = aManifest().build();

describe('renderJob', () => {
  test('returns the pods of a manifest, and the objects that they need', async () => {
    const { objects } = await renderJob(manifest, { namespace: 'ml', gang: 'volcano' });
    const pods = objects.filter(({ kind }) => kind === 'Pod');
    expect(pods.map(({ metadata }) => metadata.name)).toEqual([
      'resnet-master-0',
      'resnet-worker-0',
      'resnet-worker-1',
    ]);
    expect(objects[0]).toMatchObject({ kind: 'PodGroup', spec: { minMember: 3 } });
  });

  test('throws all faults of a manifest', async () => {
    await expect(renderJob({ ...manifest, spec: {} })).rejects.toMatchObject({
      name: 'InvalidManifestError',
      faults: [{ path: 'spec.pytorchReplicaSpecs' }],
    });
  });

  test.each(readCorpus('valid'))(
    'renders nothing for $name with an owner or without a name',
    async ({ manifest }) => {
      const { objects } = await renderJob(manifest);
      expect(objects.filter(({ metadata }) => metadata.ownerReferences || !metadata.name)).toEqual([]);
      expect(objects.some(({ kind }) => kind === 'Pod')).toBe(true);
    },
  );
});

describe('the gang scheduler is', () => {
  const annotated = (scheduler: string) =>
    aManifest().with('metadata.annotations', { 'signalbox.dev/gang': scheduler }).build();

  test.each<[string, string, object, Parameters<typeof renderJob>[1]]>([
    ['the one that is asked for', 'native', annotated('volcano'), { gang: 'native' }],
    ['else the manifest’s', 'volcano', annotated('volcano'), { configuration: { gang: 'native' } }],
    ['else the configured one', 'kube-batch', manifest, { configuration: { gang: 'kube-batch' } }],
    ['else what the cluster serves', 'coscheduling', manifest, asked('coscheduling')],
    ['else none', 'none', manifest, { configuration: { gang: 'auto' } }],
    ['none where nobody can be asked', 'none', annotated('auto'), {}],
  ])('%s: %s', async (_which, expected, given, options) => {
    expect((await renderJob(given, options)).gang).toBe(expected);
  });

  test('must be one that the cluster serves, if requested', async () => {
    await expect(renderJob(manifest, { gang: 'volcano', serves: async () => false })).rejects.toMatchObject({
      faults: [{ got: expect.stringMatching(/^volcano, whose \S+ PodGroup it does not have/) }],
    });
  });

  test('is recognised by its scheduler name, where Coscheduling has another one', async () => {
    const { objects } = await renderJob(manifest, {
      gang: 'coscheduling',
      configuration: { coschedulingName: 'gang-scheduler' },
    });
    expect(objects.find(({ kind }) => kind === 'Pod')).toMatchObject({
      spec: { schedulerName: 'gang-scheduler' },
    });
  });

  test.each(GANG_CHOICES.filter((choice) => choice !== 'auto'))(
    'is %s for every kind of job',
    async (gang) => {
      for (const { manifest } of readCorpus('valid')) {
        const { metadata } = manifest as { readonly metadata: object };
        const queued = { ...asFields(manifest), metadata: { ...metadata, labels: QUEUED } };
        expect((await renderJob(gang === 'kueue' ? queued : manifest, { gang })).gang).toBe(gang);
      }
    },
  );
});

/** Kueue admits jobs of a queue. */
const QUEUED = { 'kueue.x-k8s.io/queue-name': 'team' };

function asked(served: string) {
  return { configuration: { gang: 'auto' }, serves: async (one: string) => one === served } as const;
}
