/** One run of a job. */
import type { EvidenceSummary } from '../contracts/types.ts';
export interface RecordedJob {
  readonly namespace: string;
  readonly name: string;
  readonly anchorUid: string;
}

/** Kubernetes names have no other characters, so no key can refer to anything outside its store. */
const SEGMENT = /^[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?$/;
const SEGMENTS = 5;

class RecordKeyError extends Error {
  override readonly name = 'RecordKeyError';
}

/** `<namespace>/<job>/<anchorUid>/<attempt>/<pod>-<uid>.json` */
export const recordKeyOf = (
  job: RecordedJob,
  { attempt, pod, uid }: Pick<EvidenceSummary, 'attempt' | 'pod' | 'uid'>,
): string => checkedKey(`${folderOf(job)}/${attempt}/${pod}-${uid}.json`);

/**
 * `<namespace>/<job>/<anchorUid>/<attempt>/pods-<sha256>.json`: what ran. The hash is that of the pods' uids, its
 * first 32 characters of hex, which no record of a failed pod ends with.
 */
export const podsRecordKeyOf = (
  job: RecordedJob,
  { attempt, sha256 }: { readonly attempt: number; readonly sha256: string },
): string => checkedKey(`${folderOf(job)}/${attempt}/pods-${sha256}.json`);

/** Returns whether a key is that of a record of what ran, not of a failed pod. */
export const isPodsRecordKey = (key: string): boolean => /\/pods-[0-9a-f]{32}\.json$/.test(key);

/** Returns the folder of all records of one run of a job. */
export const folderOf = ({ namespace, name, anchorUid }: RecordedJob): string =>
  [namespace, name, anchorUid].map(checkedSegment).join('/');

/** Returns the key that a path or URL ends with. */
export const keyAtEndOf = (path: string): string => checkedKey(path.split('/').slice(-SEGMENTS).join('/'));

/** Returns the job's folder in a key. */
export const folderInKey = (key: string): string => key.split('/').slice(0, 3).join('/');

/** Returns the pod and the attempt that a key contains. */
export function partsOfKey(key: string): { readonly pod: string; readonly attempt: number } {
  const [, , , attempt, file = ''] = key.split('/');
  return { attempt: Number(attempt), pod: file.replace(POD_END, '') };
}

/** The pod's uid and the file extension. */
const POD_END = /-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

function checkedKey(key: string): string {
  const segments = key.split('/');
  if (segments.length !== SEGMENTS || !key.endsWith('.json')) throw new RecordKeyError(expected(key));
  return segments.map(checkedSegment).join('/');
}

function checkedSegment(segment: string): string {
  if (!SEGMENT.test(segment) || segment.includes('..')) throw new RecordKeyError(expected(segment));
  return segment;
}

const expected = (got: string) =>
  `expected a record's key, namespace/job/anchor/attempt/pod-uid.json, of letters, digits, dashes and dots, got ${JSON.stringify(got)}`;
