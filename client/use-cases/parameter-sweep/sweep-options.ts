import type { ParameterValues } from '../../../contracts/parameter-sweep.ts';
import type { ContainerEnvironment } from '../../manifests/container-environment.ts';
import type { CallOptions } from '../../servers/client-settings.ts';

/**
 * Which trials a parameter sweep has, and how it runs them.
 *
 * @public
 */
export interface SweepOptions extends CallOptions {
  /** The values of each parameter: there is a trial for each combination. */
  readonly set: ParameterValues;
  /** Environment variables of every container of every role, the same in all trials. */
  readonly env?: ContainerEnvironment;
  /** How many trials run at once, up to 1000; default: 50. */
  readonly atMost?: number;
  /** Name of the sweep; its trials are NAME-0, NAME-1, …; default: that of the manifest. */
  readonly name?: string;
  /** Namespace of a manifest that has none. */
  readonly namespace?: string;
  /** Also run trials that an earlier sweep of this name has completed. */
  readonly rerun?: boolean;
  /** When a trial has Failed, starts no more, and stops those that run. The sweep has then Failed. */
  readonly stopOnFailure?: boolean;
  /** Why the trials are run; recorded. */
  readonly why?: string;
  /** Refuse unknown fields before anything is started; default: true. */
  readonly strict?: boolean;
}
