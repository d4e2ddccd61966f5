import { expect, it } from '@jest/globals';
import { isSuspendedByManifest } from '../../contracts/suspended-manifest.ts';

it.each([
  [{ spec: { runPolicy: { suspend: true } } }, true],
  [{ spec: { runPolicy: { suspend: 'true' } } }, false],
  [{ spec: { runPolicy: {} } }, false],
  [{ spec: { suspend: true } }, true],
  [{ spec: [] }, false],
  ['text', false],
])('the manifest %j suspends its job: %s', (manifest, isSuspended) => {
  expect(isSuspendedByManifest(manifest)).toBe(isSuspended);
});
