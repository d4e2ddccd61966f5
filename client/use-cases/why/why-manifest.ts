import { ConnectionError } from '../../../cluster/errors.ts';
import { Reading } from '../../../cluster/reading.ts';
import type { WhyAnswer } from '../../../contracts/types.ts';
import { explainSituation } from '../../../explain/explain.ts';
import { faultOfUnknown, formatUnknown } from '../../../frameworks/fields/unknown-fields.ts';
import { asFields } from '../../../language/fields.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { InvalidManifestError, ServerAwayError } from '../../errors/errors.ts';
import { fieldsOnServer, type PodAnswer } from '../../manifests/offline/fields-on-server.ts';
import { renderJob } from '../../manifests/offline/render.ts';
import { servesGang } from '../../manifests/offline/served-gangs.ts';
import type { ManifestOptions } from '../../manifests/offline/validate.ts';
import { completed } from '../../manifests/references-of-cluster.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { readSituation } from './situation-of.ts';
import { tryPods } from './try-pods.ts';
import { withRemedies } from './with-remedies.ts';

/**
 * Explains whether a job would wait if it was submitted now. Creates nothing: pods are tried in dry runs. Throws `InvalidManifestError` with all faults, and `ServerAwayError` if the cluster does not answer.
 */
export async function whyManifest(
  { cluster: connect, lanes }: Pick<ClientPorts, 'cluster' | 'lanes'>,
  written: unknown,
  options: ManifestOptions = {},
): Promise<WhyAnswer> {
  const cluster = await connect();
  try {
    const { namespace: own = 'default' } = options;
    const { manifest } = await completed(async () => cluster, asFields(written), own);
    const serves = servesGang(cluster);
    const rendered = await renderJob(manifest, { ...options, serves, podsAreTried: true });
    const { job, gang } = rendered;
    const objects = renderAttempt(job, { number: 1, anchorUid: '' }, { gang, asGang: true });
    const reading = new Reading(cluster);
    const { pods: admitted, refused, answers } = await tryPods(reading, objects.pods);
    const warnings = [...rendered.warnings, ...warningsOfPods(manifest, answers, options)];
    const situation = await readSituation(reading, { job, gang, objects, admitted, refused, lanes });
    const { kind, namespace, name } = job;
    return withRemedies({
      ...{ kind, namespace, name, asOf: new Date(situation.at).toISOString() },
      ...explainSituation(situation),
      ...(warnings.length > 0 ? { warnings } : {}),
    });
  } catch (error) {
    if (error instanceof ConnectionError) throw new ServerAwayError('Kubernetes', cluster.server, error);
    throw error;
  }
}

/** Fields that are dropped from the pods do not keep the job waiting, if the caller accepts unknown fields. */
function warningsOfPods(
  manifest: unknown,
  answers: readonly PodAnswer[],
  { strict = true }: ManifestOptions,
): readonly string[] {
  const { unknown, warnings } = fieldsOnServer(manifest, answers);
  if (strict && unknown.length > 0) throw new InvalidManifestError(unknown.map(faultOfUnknown));
  return [...unknown.map(formatUnknown), ...warnings];
}
