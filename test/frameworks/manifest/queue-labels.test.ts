import { expect, it } from '@jest/globals';
import { validateManifest } from '../../../client/manifests/offline/validate.ts';
import { manifestOfCase } from '../../cases/case-path.ts';
import { aManifest } from '../manifests.ts';

it('a job with a queue label of Kueue has a warning that it does not wait there', async () => {
  const manifest = await manifestOfCase('kueue-label/kueue.yaml');
  expect(validateManifest(manifest)).toMatchObject({
    faults: [],
    warnings: [
      'metadata.labels[kueue.x-k8s.io/queue-name]: the job does not wait in a queue of Kueue and does not count against its quota; it starts at once',
    ],
  });
});

it('a queue that holds pods, and one of the gang scheduler, cause no warning', () => {
  const labels = { 'kueue.x-k8s.io/queue-name': 'team' };
  const manifest = aManifest().with('metadata.annotations', { 'scheduling.volcano.sh/queue-name': 'team' });
  expect(manifest.role('Worker', 'template.metadata', { labels }).job().warnings).toEqual([]);
});

it('a job that is suspended, which Kueue resumes, has no warning', () => {
  const manifest = aManifest()
    .with('metadata.labels', { 'kueue.x-k8s.io/queue-name': 'team' })
    .with('spec.runPolicy', { suspend: true });
  expect(manifest.job().warnings).toEqual([]);
});

it('a job that Kueue has admitted, which waited in its queue, has no warning', () => {
  const labels = { 'kueue.x-k8s.io/podset': 'worker' };
  const manifest = aManifest().with('metadata.labels', { 'kueue.x-k8s.io/queue-name': 'team' });
  expect(manifest.job().warnings).toHaveLength(1);
  expect(manifest.role('Worker', 'template.metadata', { labels }).job().warnings).toEqual([]);
});
