import type { ClusterClient } from '../../../cluster/client.ts';
import { ConnectionError } from '../../../cluster/errors.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import type { Fault } from '../../../contracts/types.ts';
import {
  faultOfUnknown,
  formatUnknown,
  type UnknownField,
} from '../../../frameworks/fields/unknown-fields.ts';
import { asFields } from '../../../language/fields.ts';
import { InvalidManifestError, ServerAwayError } from '../../errors/errors.ts';
import { completed } from '../references-of-cluster.ts';
import { type DryRunResult, dryRun } from './dry-run.ts';
import { fieldsOnServer, type PodAnswer } from './fields-on-server.ts';
import { type RenderedJob, renderJob } from './render.ts';
import { servesGang } from './served-gangs.ts';
import { type ManifestOptions, type Validation, validateManifest } from './validate.ts';

interface ServerValidation extends Validation {
  /** Objects of the job that already exist, e.g. `Service ml/resnet-master-0`. */
  readonly existing: readonly string[];
}

interface ServerOptions extends ManifestOptions {
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
  written: unknown,
  cluster: ClusterClient,
  options: ServerOptions = {},
): Promise<ServerValidation> {
  const { namespace = 'default' } = options;
  const { manifest, isComplete } = await completed(async () => cluster, asFields(written), namespace);
  const tried = { ...options, podsAreTried: true, isComplete };
  const validation = validateManifest(manifest, tried);
  if (!validation.job) return { ...validation, existing: [] };
  try {
    const rendered = await renderJob(manifest, { ...tried, serves: servesGang(cluster) });
    const results = await tryAll(cluster, rendered, options);
    const { faults, warnings } = answerOf(manifest, results, options);
    const existing = results.filter(({ outcome }) => outcome === 'exists').map(({ object }) => object);
    const job = faults.length > 0 ? undefined : rendered.job;
    return { faults, existing, job, warnings: [...rendered.warnings, ...warnings] };
  } catch (error) {
    if (error instanceof ConnectionError) throw new ServerAwayError('Kubernetes', cluster.server, error);
    if (!(error instanceof InvalidManifestError)) throw error;
    return { faults: error.faults, warnings: error.warnings, existing: [], job: undefined };
  }
}

/** What the cluster does not know is a fault: it would be dropped from the pods in silence. */
function answerOf(manifest: unknown, results: readonly DryRunResult[], { strict = true }: ServerOptions) {
  const { unknown, warnings } = fieldsOnServer(manifest, results.flatMap(podAnswers));
  const isFault = ({ of }: UnknownField) => strict || of === 'pod-of-cluster';
  const refused = faultsOf(results.filter(({ outcome }) => outcome === 'refused'));
  return {
    faults: [...unknown.filter(isFault).map(faultOfUnknown), ...refused],
    warnings: [...unknown.filter((field) => !isFault(field)).map(formatUnknown), ...warnings],
  };
}

const podAnswers = ({ tried, outcome, warnings }: DryRunResult): PodAnswer[] =>
  tried.kind === PODS.kind ? [{ pod: tried as Pod, isRefused: outcome === 'refused', warnings }] : [];

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
