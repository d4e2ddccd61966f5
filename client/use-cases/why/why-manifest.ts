import { ConnectionError } from '../../../cluster/errors.ts';
import { Reading } from '../../../cluster/reading.ts';
import { explainSituation } from '../../../explain/explain.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { ServerAwayError } from '../../errors/errors.ts';
import { renderJob } from '../../manifests/offline/render.ts';
import { servesGang } from '../../manifests/offline/served-gangs.ts';
import type { ManifestOptions } from '../../manifests/offline/validate.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { readSituation } from './situation-of.ts';
import { tryPods } from './try-pods.ts';
import type { WhyAnswer } from './why-answer.ts';

/**
 * Explains whether a job would wait if it was submitted now. Creates nothing: pods are tried in dry runs. Throws `InvalidManifestError` with all faults, and `ServerAwayError` if the cluster does not answer.
 */
export async function whyManifest(
  { cluster: connect, lanes }: Pick<ClientPorts, 'cluster' | 'lanes'>,
  manifest: unknown,
  options: ManifestOptions = {},
): Promise<WhyAnswer> {
  const cluster = await connect();
  try {
    const serves = servesGang(cluster);
    const { job, gang } = await renderJob(manifest, { ...options, serves });
    const objects = renderAttempt(job, { number: 1, anchorUid: '' }, { gang, asGang: true });
    const reading = new Reading(cluster);
    const { pods: admitted, refused } = await tryPods(reading, objects.pods);
    const situation = await readSituation(reading, { job, gang, objects, admitted, refused, lanes });
    const { kind, namespace, name } = job;
    return {
      kind,
      namespace,
      name,
      asOf: new Date(situation.at).toISOString(),
      ...explainSituation(situation),
    };
  } catch (error) {
    if (error instanceof ConnectionError) throw new ServerAwayError('Kubernetes', cluster.server, error);
    throw error;
  }
}
