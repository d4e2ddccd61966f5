import type { ClusterClient } from '../../../cluster/client.ts';
import { ConnectionError } from '../../../cluster/errors.ts';
import type { Fault } from '../../../contracts/faults.ts';
import { InvalidManifestError, ServerAwayError } from '../../errors/errors.ts';
import { type DryRunResult, dryRun } from './dry-run.ts';
import { type RenderedJob, renderJob } from './render.ts';
import { servesGang } from './served-gangs.ts';
import { type ManifestOptions, type Validation, validateManifest } from './validate.ts';

export interface ServerValidation extends Validation {
  /** Objects of the job that already exist, e.g. `Service ml/resnet-master-0`. */
  readonly existing: readonly string[];
}

export interface ServerOptions extends ManifestOptions {
  /** Reports how many of the job's objects have been checked. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Validates like `validateManifest`, then dry-runs every object of the job, which finds what only the API server knows:
 * quotas, admission policies, invalid fields of pods. Creates nothing.
 *
 * @example
 * const { faults, existing } = await validateOnServer(manifest, await ClusterClient.connect(), { namespace: 'ml' });
 */
export async function validateOnServer(
  manifest: unknown,
  cluster: ClusterClient,
  options: ServerOptions = {},
): Promise<ServerValidation> {
  const validation = validateManifest(manifest, options);
  if (!validation.job) return { ...validation, existing: [] };
  try {
    const rendered = await renderJob(manifest, { ...options, serves: servesGang(cluster) });
    const results = await tryAll(cluster, rendered, options);
    const faults = faultsOf(results.filter(({ outcome }) => outcome === 'refused'));
    const existing = results.filter(({ outcome }) => outcome === 'exists').map(({ object }) => object);
    return {
      faults,
      existing,
      warnings: rendered.warnings,
      job: faults.length > 0 ? undefined : rendered.job,
    };
  } catch (error) {
    if (error instanceof ConnectionError) throw new ServerAwayError('Kubernetes', cluster.server, error);
    if (!(error instanceof InvalidManifestError)) throw error;
    return { faults: error.faults, warnings: error.warnings, existing: [], job: undefined };
  }
}

function tryAll(
  cluster: ClusterClient,
  { objects }: RenderedJob,
  { onProgress }: ServerOptions,
): Promise<DryRunResult[]> {
  let done = 0;
  return dryRun(cluster, objects, { onResult: () => onProgress?.(++done, objects.length) });
}

/** Merges the equal faults of replicas into one. */
function faultsOf(refused: readonly DryRunResult[]): Fault[] {
  const byMessage = Map.groupBy(refused, ({ object, message = '' }) => {
    const name = object.split('/').at(-1)!;
    return message.replaceAll(name, '');
  });
  return [...byMessage.values()].map(([first, ...others]) => ({
    path: others.length > 0 ? `${first!.object} and ${others.length} more` : first!.object,
    expected: 'an object that the API server accepts',
    got: first!.message ?? '',
  }));
}
