import type { Fault } from './faults.ts';

/**
 * A job is kept in its anchor, a ConfigMap of at most 1 MiB, together with its status; and payloads of Temporal, of at
 * most 2 MB, hold it twice when its workflow goes on in a new run.
 */
export const LARGEST_MANIFEST_BYTES = 512 * 1024;

/** What is wrong with the size of a manifest. */
export function checkManifestSize(manifest: unknown): Fault[] {
  const bytes = new TextEncoder().encode(JSON.stringify(manifest) ?? '').length;
  if (bytes <= LARGEST_MANIFEST_BYTES) return [];
  const expected = `at most ${grouped(LARGEST_MANIFEST_BYTES)} bytes as JSON (data and long scripts belong into a ConfigMap, a volume or the image)`;
  return [{ path: '(manifest)', expected, got: `${grouped(bytes)} bytes` }];
}

const grouped = (bytes: number) => bytes.toLocaleString('en-US');
