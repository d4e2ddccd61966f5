import { formatFault } from '../../../contracts/faults.ts';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { type Fields, isFields, valueAt } from '../../../language/fields.ts';
import { unlessLate } from '../../../language/timers.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import type { ClientPorts } from '../../servers/ports.ts';

/** A submission does not wait longer for a cluster that it need not have. */
const MOST_MS = 5_000;

/**
 * Warns of a gang scheduler that a manifest names and the cluster does not have: workers refuse such a job. Says nothing of a cluster
 * that does not answer: submissions need none.
 */
export async function gangWarnings(
  { cluster, validate }: Partial<Pick<ClientPorts, 'cluster' | 'validate'>>,
  manifest: Manifest,
): Promise<readonly string[]> {
  if (!cluster || validate || !namesScheduler(manifest)) return [];
  const asked = faultsIn(cluster, manifest).catch(() => []);
  const faults = (await unlessLate(asked, MOST_MS)) ?? [];
  return faults.map((fault) => `${fault}. Workers of this cluster refuse such a job.`);
}

/** Only then a cluster is asked. */
const namesScheduler = ({ metadata, spec }: Manifest): boolean =>
  Object.hasOwn(metadata.annotations ?? {}, ANNOTATIONS.gang) || hasSchedulerName(spec);

const hasSchedulerName = (fields: unknown): boolean =>
  isFields(fields) &&
  (valueAt(fields, 'template.spec.schedulerName') !== undefined ||
    Object.values(fields).some((value) => isFields(value) && hasSchedulerName(value as Fields)));

/** Modules are loaded with the first such manifest. */
async function faultsIn(cluster: ClientPorts['cluster'], manifest: Manifest): Promise<readonly string[]> {
  const [{ validateManifest }, { chooseGang }, { servesGang }] = await Promise.all([
    import('../../manifests/offline/validate.ts'),
    import('../../../gang/choose.ts'),
    import('../../manifests/offline/served-gangs.ts'),
  ]);
  const { job } = validateManifest(manifest, { strict: false });
  if (!job) return [];
  const serves = servesGang(await cluster());
  const chosen = await chooseGang(job, { configured: 'none', serves });
  return 'faults' in chosen ? chosen.faults.map(formatFault) : [];
}
