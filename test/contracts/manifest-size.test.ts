import { expect, test } from '@jest/globals';
import { checkedManifest } from '../../client/manifests/checked-manifest.ts';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import { checkManifestSize, LARGEST_MANIFEST_BYTES } from '../../contracts/manifest-size.ts';
import { checkNesting } from '../../contracts/nesting.ts';

const sized = (bytes: number) => {
  const manifest = {
    apiVersion: 'v1',
    kind: 'PyTorchJob',
    metadata: { name: 'large' },
    spec: { filler: '' },
  };
  return { ...manifest, spec: { filler: 'é'.repeat((bytes - JSON.stringify(manifest).length) / 2) } };
};

test('a manifest may be as large as the limit, in bytes', () => {
  expect(checkManifestSize(sized(LARGEST_MANIFEST_BYTES))).toEqual([]);
});

test('a larger one is refused with its size and the limit, whoever submits or validates it', () => {
  const large = sized(LARGEST_MANIFEST_BYTES + 10);
  const fault = {
    path: '(manifest)',
    expected: expect.stringContaining('at most 524,288 bytes as JSON'),
    got: expect.stringMatching(/^524,29\d bytes$/),
  };
  expect(validateManifest(large).faults).toEqual([fault]);
  expect(() => checkedManifest(large, { namespace: 'default' })).toThrow('at most 524,288 bytes as JSON');
});

test.each([
  [200, []],
  [202, [{ path: '(manifest)', expected: 'at most 200 levels of nesting', got: 'more' }]],
  [100_000, [expect.anything()]],
])('a manifest that is nested %d levels deep', (depth, faults) => {
  let manifest: unknown = {};
  for (let level = 1; level < depth; level++) manifest = { inner: manifest };
  expect(checkNesting(manifest)).toEqual(faults);
});
