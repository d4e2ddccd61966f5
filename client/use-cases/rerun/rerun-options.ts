import type { ManifestEdit } from '../../../frameworks/changes/edit-manifest.ts';
import type { ContainerEnvironment } from '../../manifests/container-environment.ts';
import type { CleanUpOptions } from '../../servers/client-settings.ts';

/**
 * What is different in a rerun.
 *
 * @public
 */
export interface RerunChanges {
  /** Sizes and policy of this revision; default: 1, as submitted. */
  readonly revision?: number;
  /**
   * Changes of the manifest, by path as errors write it, e.g. `{ 'spec.runPolicy.backoffLimit': 3 }`. null removes; a list
   * allows one path twice. As in a sweep, a plain name is an environment variable of the containers that use it.
   */
  readonly set?: Readonly<Record<string, unknown>> | readonly ManifestEdit[];
  /** Environment variables of every container of every role. */
  readonly env?: ContainerEnvironment;
  /** Name of the new job; default: that of its parent, which must have ended. */
  readonly name?: string;
  /** Refuse unknown fields, also those of the recorded manifest; default: true. */
  readonly strict?: boolean;
}

/**
 * How a job is run again.
 *
 * @public
 */
export interface RerunOptions extends CleanUpOptions, RerunChanges {
  /** A run of the job’s workflow id; default: the last one. */
  readonly runId?: string;
  /** Why; recorded. */
  readonly why?: string;
  /** Identifies this rerun: a program that is restarted gets the same job again. */
  readonly key?: string;
}
