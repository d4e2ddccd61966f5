import { describe, expect, it } from '@jest/globals';
import { scheduledManifest } from '../../contracts/scheduled-job.ts';

const AT = new Date('2026-11-22T04:36:02.900Z');
const named = (metadata: unknown) => scheduledManifest({ kind: 'PyTorchJob', metadata, spec: {} }, AT);

describe('the manifest of a job that a schedule starts', () => {
  it.each([
    ['its name', { name: 'nightly' }],
    ['its generateName', { generateName: 'nightly-' }],
    ['its generateName, beside a name', { generateName: 'nightly', name: 'other' }],
  ])('has a name that ends with the time: %s', (_, metadata) => {
    expect(named({ ...metadata, labels: { a: 'b' } })).toEqual({
      kind: 'PyTorchJob',
      metadata: { name: 'nightly-20261122-043602', labels: { a: 'b' } },
      spec: {},
    });
  });

  it.each([[{}], [{ name: 7 }], [null]])('is unchanged without a name: %j', (metadata) => {
    expect(named(metadata)).toEqual({ kind: 'PyTorchJob', metadata, spec: {} });
  });
});
