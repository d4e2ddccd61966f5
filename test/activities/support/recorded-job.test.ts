import { describe, expect, it } from '@jest/globals';
import { recordedJob } from '../../../activities/support/recorded-job.ts';
import { DEFAULT_POLICY } from '../../../contracts/policy.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { aManifest } from '../../frameworks/manifests.ts';
import { anMpiJob as aBuilder } from '../../frameworks/mpi-jobs.ts';
import { anAnchor } from '../../watcher/fixtures.ts';

const onAnchor = (job: object) => ({
  ...anAnchor({ job: 'resnet', namespace: 'ml' }),
  data: { job: JSON.stringify(job) },
});

const pytorch = aManifest().job();
const anMpiJob = () => aBuilder().with('metadata.name', 'resnet').job();

describe('the job on an anchor', () => {
  it('is used if it is valid', () => {
    for (const job of [pytorch, anMpiJob()])
      expect(recordedJob(onAnchor(job))).toEqual(JSON.parse(JSON.stringify(job)));
  });

  it('is used without roles, where its kind needs none', () => {
    const job = { ...pytorch, roles: [], plan: { roles: [], runPolicy: {} } };
    expect(recordedJob(onAnchor(job))).toBeDefined();
  });

  const withPlan = (plan: object) => ({ ...pytorch, plan: { ...pytorch.plan, ...plan } });
  const withRole = (job: TrainingJob, role: object) => ({
    ...job,
    roles: job.roles.map((one) => ({ ...one, ...role })),
  });
  const launcherWith = (spec: object) => {
    const [launcher, ...others] = anMpiJob().roles;
    const template = { ...launcher!.template, spec: { ...launcher!.template.spec, ...spec } };
    return { ...anMpiJob(), roles: [{ ...launcher!, template }, ...others] };
  };
  const rules = (...patterns: string[]) => ({
    ...DEFAULT_POLICY,
    failures: { rules: patterns.map((pattern) => ({ class: 'x', pattern })), classes: {} },
  });

  it.each<[string, object]>([
    ['an MPIJob without a launcher, which cannot be rendered', { ...anMpiJob(), roles: [] }],
    ['an MPIJob without options', { ...anMpiJob(), options: null }],
    ['a service account that is a path', launcherWith({ serviceAccountName: '../pods' })],
    ['a launcher without containers', launcherWith({ containers: undefined })],
    ['more replicas than a manifest may have', withRole(pytorch, { replicas: 1e9 })],
    ['replicas that are no number', withRole(pytorch, { replicas: 'many' })],
    ['a role without a template', withRole(pytorch, { template: undefined })],
    ['roles that are no list', { ...pytorch, roles: 'all' }],
    ['a hundred thousand roles', { ...pytorch, roles: Array(100_000).fill(pytorch.roles[0]) }],
    ['no run policy', withPlan({ runPolicy: null })],
    ['a time to live that is no number', withPlan({ runPolicy: { ttlSecondsAfterFinished: 'x' } })],
    ['a time to live without an end', withPlan({ runPolicy: { ttlSecondsAfterFinished: 1e300 } })],
    ['a pattern that is none', withPlan({ policy: rules('(') })],
    ['more patterns than a policy may have', withPlan({ policy: rules(...Array(1_000).fill('.{1000}')) })],
  ])('is invalid if it has %s', (_, job) => {
    expect(recordedJob(onAnchor(job))).toBeUndefined();
  });
});
