import { expect, it } from '@jest/globals';
import type { AdmissionSettings } from '../../../contracts/job-revision.ts';
import { DEFAULT_CONVENTIONS } from '../../../contracts/training-job.ts';
import { amendJob } from '../../../frameworks/changes/amend.ts';
import { buildJob } from '../../../frameworks/changes/build-job.ts';
import { aManifest } from '../manifests.ts';

const settings: AdmissionSettings = {
  ...{ namespace: 'ml', conventions: DEFAULT_CONVENTIONS, gangWarnings: [] },
  onHang: 'restart',
};
const source = { manifest: aManifest().build(), settings, revision: 1 };
const planOf = (result: ReturnType<typeof buildJob>) => ('job' in result ? result.job.plan : undefined);

it('a job keeps in all its revisions what its installation wanted to follow from a hang', () => {
  expect(planOf(buildJob(source))?.onHang).toBe('restart');
  const policy = { evidence: { logLines: 5 } };
  expect(planOf(amendJob(source, { policy }))).toMatchObject({ onHang: 'restart', policy });
  const { onHang: _, ...others } = settings;
  expect(planOf(buildJob({ ...source, settings: others }))).not.toHaveProperty('onHang');
});
