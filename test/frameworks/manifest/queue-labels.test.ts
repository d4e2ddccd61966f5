import { expect, it } from '@jest/globals';
import { renderJob } from '../../../client/manifests/offline/render.ts';
import { validateManifest } from '../../../client/manifests/offline/validate.ts';
import { manifestOfCase } from '../../cases/case-path.ts';
import { aManifest } from '../manifests.ts';

const saysNotQueued = (field: string, queue: string) =>
  `metadata.${field}: the job does not wait in a queue of ${queue} and does not count against its quota; it starts at once`;

it('a job with a queue label of Kueue waits there, or has a warning that it does not', async () => {
  const manifest = await manifestOfCase('kueue-label/kueue.yaml');
  expect(validateManifest(manifest)).toMatchObject({ faults: [], warnings: [] });
  const warning = saysNotQueued('labels[kueue.x-k8s.io/queue-name]', 'Kueue');
  const rendered = (served: boolean) => renderJob(manifest, { serves: async () => served });
  expect(await rendered(false)).toMatchObject({ gang: 'none', warnings: [warning] });
  expect(await rendered(true)).toMatchObject({ gang: 'kueue', warnings: [] });
});

it('a job with the label of another queue has a warning that it does not wait there', () => {
  const manifest = aManifest().with('metadata.labels', { 'runai/queue': 'team' });
  expect(manifest.job().warnings).toEqual([saysNotQueued('labels[runai/queue]', 'Run:ai')]);
});

it('Kueue does not read annotations', () => {
  const manifest = aManifest().with('metadata.annotations', { 'kueue.x-k8s.io/queue-name': 'team' });
  const warning = saysNotQueued('annotations[kueue.x-k8s.io/queue-name]', 'Kueue');
  expect(manifest.job().warnings).toEqual([warning]);
});

it('a queue that holds pods, and one of the gang scheduler, cause no warning', () => {
  const labels = { 'kueue.x-k8s.io/queue-name': 'team' };
  const manifest = aManifest().with('metadata.annotations', { 'scheduling.volcano.sh/queue-name': 'team' });
  expect(manifest.role('Worker', 'template.metadata', { labels }).job().warnings).toEqual([]);
});

it('a job that is suspended, which others resume, has no warning', () => {
  const manifest = aManifest()
    .with('metadata.labels', { 'runai/queue': 'team' })
    .with('spec.runPolicy', { suspend: true });
  expect(manifest.job().warnings).toEqual([]);
});
