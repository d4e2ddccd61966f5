import { describe, expect, it } from '@jest/globals';
import { chooseGang } from '../../gang/choose.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aJob, rendered } from './jobs.ts';

const GATE = [{ name: 'signalbox.dev/gang' }];

describe('a native gang behind gates', () => {
  const job = aJob({ minAvailable: 2, priorityClass: 'high' });

  it('has the group of a native gang, and the marks of that and of a gated one on each pod', () => {
    const { group, pods } = rendered(job, 'gated-native');
    expect(group).toEqual(rendered(job, 'native').group);
    for (const { metadata, spec } of pods) {
      expect(spec).toMatchObject({
        schedulingGates: GATE,
        schedulingGroup: { podGroupName: 'resnet' },
      });
      expect(metadata.labels).toMatchObject({ 'signalbox.dev/gated': '2-of-3' });
    }
  });

  it('is a native gang from its lift on', () => {
    const options = { gang: 'gated-native', asGang: true, isLifted: true } as const;
    const { pods } = renderAttempt(job, { number: 1, anchorUid: 'anchor-uid' }, options);
    expect(pods).toEqual(rendered(job, 'native').pods);
    expect(rendered(job, 'gated-native', false).pods).toEqual(rendered(job, 'native', false).pods);
  });

  const choose = (manifest: ReturnType<typeof aManifest>, served: boolean) =>
    chooseGang(manifest.with('metadata.annotations', { 'signalbox.dev/gang': 'gated-native' }).job(), {
      configured: 'auto',
      serves: async () => served,
    });

  it('needs the API of native gangs, and pods whose place is computed', async () => {
    expect(await choose(aManifest(), true)).toEqual({ provider: 'gated-native', warnings: [] });
    expect(await choose(aManifest(), false)).toMatchObject({
      faults: [
        {
          path: 'metadata.annotations[signalbox.dev/gang]',
          got: expect.stringMatching(
            /^gated-native, whose scheduling\.k8s\.io\/\S+ PodGroup it does not have/,
          ),
        },
      ],
    });
    const volume = [{ name: 'scratch', ephemeral: {} }];
    const claiming = aManifest().with('spec.pytorchReplicaSpecs.Worker.template.spec.volumes', volume);
    expect(await choose(claiming, true)).toMatchObject({ faults: [{ got: 'a claim for each pod' }] });
  });

  it('is chosen only where it is asked for', async () => {
    const chosen = await chooseGang(aJob(), { configured: 'auto', serves: async () => true });
    expect(chosen).toMatchObject({ provider: 'native' });
  });
});
