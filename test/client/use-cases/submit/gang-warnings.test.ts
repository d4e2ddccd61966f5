import { describe, expect, it } from '@jest/globals';
import type { Manifest } from '../../../../client/manifests/named-manifest.ts';
import { gangWarnings } from '../../../../client/use-cases/submit/gang-warnings.ts';
import type { ClusterClient } from '../../../../cluster/client.ts';
import { aManifest } from '../../../frameworks/manifests.ts';

const naming = (schedulerName: string) =>
  aManifest()
    .with('spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName', schedulerName)
    .build() as Manifest;

/** A cluster that serves these kinds. */
const serving =
  (...kinds: readonly string[]) =>
  async () =>
    ({ serves: async ({ kind }: { kind: string }) => kinds.includes(kind) }) as unknown as ClusterClient;

describe('a submission', () => {
  it('warns of a gang scheduler that a template names and the cluster does not have', async () => {
    expect(await gangWarnings({ cluster: serving() }, naming('volcano'))).toEqual([
      'spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName: expected a gang scheduler whose API this cluster serves, got volcano, whose scheduling.volcano.sh/v1beta1 PodGroup it does not have: install it, or name another. Workers of this cluster refuse such a job.',
    ]);
  });

  it('warns of one that an annotation names', async () => {
    const manifest = aManifest()
      .with('metadata.annotations', { 'signalbox.dev/gang': 'coscheduling' })
      .build();
    const [warning] = await gangWarnings({ cluster: serving() }, manifest as Manifest);
    expect(warning).toMatch(/^metadata\.annotations\[signalbox\.dev\/gang\]: .* got coscheduling/);
  });

  it('says nothing of one that is there, or of a scheduler of pods', async () => {
    expect(await gangWarnings({ cluster: serving('PodGroup') }, naming('volcano'))).toEqual([]);
    expect(await gangWarnings({ cluster: serving() }, naming('my-scheduler'))).toEqual([]);
  });

  it('asks no cluster about a manifest that names none, and goes on where none answers', async () => {
    const away = () => Promise.reject(new Error('no kubeconfig'));
    const unasked = () => {
      throw new Error('it was asked');
    };
    expect(await gangWarnings({ cluster: unasked }, aManifest().build() as Manifest)).toEqual([]);
    expect(await gangWarnings({ cluster: away }, naming('volcano'))).toEqual([]);
  });
});
