import { describe, expect, it } from '@jest/globals';
import { GANG_CHOICES } from '../../contracts/training-job.ts';
import { groupNameOf } from '../../gang/gang.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';
import { readCase } from '../comparison/case.ts';

describe('the name of a group', () => {
  it('is that of its job', () => {
    expect(groupNameOf('resnet', 1, 'volcano')).toBe('resnet');
  });

  it('differs for each later attempt, and from those of other jobs', () => {
    expect(groupNameOf('resnet', 2, 'volcano')).toBe('resnet.2');
  });
});

describe('the registry of gang schedulers', () => {
  it('has every choice that a manifest may name', () => {
    const choices = GANG_CHOICES.filter((choice) => choice !== 'auto');
    expect(Object.keys(GANG_ADAPTERS).sort()).toEqual([...choices].sort());
    expect(Object.entries(GANG_ADAPTERS).every(([name, { provider }]) => name === provider)).toBe(true);
  });

  it('has the fields of a group that depend on the size of its job', () => {
    const { job } = readCase('vcjob-env-svc-ssh');
    for (const { sizeFields = [], renderGroup } of Object.values(GANG_ADAPTERS)) {
      const spec = (renderGroup(job, 'resnet')?.spec ?? {}) as Readonly<Record<string, unknown>>;
      expect(sizeFields.map((field) => field in spec)).toEqual(sizeFields.map(() => true));
      expect(sizeFields.length === 0 || spec.minMember === 3).toBe(true);
    }
  });

  it('has one that works in every cluster', () => {
    expect(GANG_ADAPTERS.none.resource).toBeUndefined();
  });
});
