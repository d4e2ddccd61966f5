/**
 * Reads manifests without any server, e.g. to check them before they are merged. Loads what the client itself does not
 * need: the rules of all kinds of jobs.
 *
 * @packageDocumentation
 */

export type { KubeObject, ObjectMeta, OwnerReference } from '../../../contracts/kubernetes.ts';
export type { JobConfiguration } from '../../../contracts/settings.ts';
export {
  type Conventions,
  GANG_CHOICES,
  type GangChoice,
  type GangProvider,
} from '../../../contracts/training-job.ts';
export type { Fault } from '../../../contracts/types.ts';
export { type RenderedJob, type RenderOptions, renderJob } from './render.ts';
export { isJobManifest, type ManifestOptions, type Validation, validateManifest } from './validate.ts';
