import type { JobHandle } from './job-handle.ts';

/**
 * What became of one of many manifests: a job, or an error, which is a `SignalboxError` unless the program is at fault.
 *
 * @public
 */
export type SubmissionAttempt<M extends object = object> = {
  readonly manifest: M;
  /** The place of the manifest among those given, from 0. */
  readonly index: number;
} & (
  | { readonly job: JobHandle; readonly error?: undefined }
  | { readonly error: Error; readonly job?: undefined }
);
