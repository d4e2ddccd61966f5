import { describe, expect, it } from '@jest/globals';
import type { GangProvider } from '../../contracts/training-job.ts';
import { otherSchedulers } from '../../gang/other-scheduler.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aJob, rendered } from './jobs.ts';

describe('a template that names a scheduler', () => {
  const naming = (scheduler: string) =>
    aManifest().role('Worker', 'template.spec.schedulerName', scheduler).job();
  const warning = (scheduler: string, gang: string) =>
    `spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName: names ${scheduler}; ${gang}, which places this gang, will not place these pods`;
  const cases: readonly [scheduler: string, provider: GangProvider, warnings: string[]][] = [
    ['volcano', 'volcano', []],
    ['mine', 'volcano', [warning('mine', 'volcano')]],
    ['default-scheduler', 'native', []],
    ['mine', 'native', [warning('mine', 'default-scheduler')]],
    ['scheduler-plugins-scheduler', 'coscheduling', []],
    ['volcano', 'coscheduling', [warning('volcano', 'scheduler-plugins-scheduler')]],
    ['kube-batch', 'kube-batch', []],
    ['mine', 'none', []],
  ];

  it.each(cases)('%s has a warning with %s: %j', (scheduler, provider, warnings) => {
    expect(otherSchedulers(naming(scheduler), provider)).toEqual(warnings);
  });

  it('may be left out', () => {
    expect(otherSchedulers(aJob(), 'volcano')).toEqual([]);
  });

  it('keeps it, while others get that of the gang', () => {
    const { pods } = rendered(naming('mine'), 'volcano');
    expect(pods.map(({ spec }) => spec.schedulerName)).toEqual(['volcano', 'mine', 'mine']);
  });
});
