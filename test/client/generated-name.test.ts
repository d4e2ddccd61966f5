import { describe, expect, it } from '@jest/globals';
import { checkedManifest } from '../../client/manifests/checked-manifest.ts';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import { manifestOfCase } from '../cases/case-path.ts';

const sweep = await manifestOfCase('generate-name/gen.yaml');
const nameOf = (manifest: unknown, key?: string) =>
  checkedManifest(manifest, { namespace: 'ml', key }).metadata;

describe('a manifest with generateName', () => {
  it('gets a new name at each submission', () => {
    const [first, second] = [nameOf(sweep), nameOf(sweep)];
    expect(first).toEqual({ namespace: 'ml', name: expect.stringMatching(/^sweep-[b-z2-9]{8}$/) });
    expect(second.name).not.toBe(first.name);
  });

  it('gets a name that is derived from the key, the same in every client', () => {
    // python/tests/unit/test_generated_name.py has the same names.
    expect(nameOf(sweep, 'nightly-2026-11-23').name).toBe('sweep-pckx4wdz');
    expect(nameOf(sweep, 'schlüssel 训练').name).toBe('sweep-fl56pnzn');
  });

  it('keeps a name that it has', () => {
    const manifest = { ...sweep, metadata: { name: 'mine', generateName: 'sweep-' } };
    expect(nameOf(manifest, 'k')).toEqual({ namespace: 'ml', name: 'mine', generateName: 'sweep-' });
  });

  it('is validated, and its faults name generateName', () => {
    expect(validateManifest(sweep)).toMatchObject({ faults: [], warnings: [] });
    const long = { ...sweep, metadata: { generateName: `${'s'.repeat(50)}-` } };
    expect(validateManifest(long).faults).toMatchObject([{ path: 'metadata.generateName' }]);
    expect(validateManifest({ ...sweep, metadata: {} }).faults).toMatchObject([{ path: 'metadata.name' }]);
  });
});
