/**
 * The anchor, a ConfigMap of at most 1 MiB, stores the job with its status. Temporal payloads, at most 2 MB, hold the
 * job twice at continue-as-new.
 */
import type { Fault } from './types.ts';
export const LARGEST_MANIFEST_BYTES = 512 * 1024;

/** Returns the fault of a manifest that is too large. */
export function checkManifestSize(manifest: unknown): Fault[] {
  const bytes = new TextEncoder().encode(JSON.stringify(manifest) ?? '').length;
  if (bytes <= LARGEST_MANIFEST_BYTES) return [];
  const expected = `at most ${grouped(LARGEST_MANIFEST_BYTES)} bytes as JSON (data and long scripts belong in a ConfigMap, a volume or the image)`;
  return [{ path: '(manifest)', expected, got: `${grouped(bytes)} bytes` }];
}

const grouped = (bytes: number) => bytes.toLocaleString('en-US');
