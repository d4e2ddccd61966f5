import { servedGangs, servedGroups, servesGang } from '../../client/manifests/offline/served-gangs.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { CONFIG_MAPS, LEASES, PODS, SERVICES } from '../../contracts/kubernetes.ts';
import { givesQuota } from '../../contracts/training-job.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { isDue } from './due-deprecations.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('gangs');

/** Looks for the group APIs of gang schedulers. */
export async function gangFinding(client: ClusterClient, { jobs }: Settings): Promise<Finding> {
  try {
    const all = await servedGangs(client);
    const wanted = jobs.gang;
    // What hands out quota places no gang.
    const served = all.filter((gang) => !givesQuota(gang));
    if (wanted !== 'auto' && !(await servesGang(client)(wanted))) {
      const found = all.length > 0 ? all.join(', ') : 'none';
      return fault(
        'schedulers',
        `SIGNALBOX_GANG is ${wanted}, whose API the cluster does not serve (it serves ${found})`,
        `Install ${wanted}, or set SIGNALBOX_GANG=auto.`,
      );
    }
    if (served.length > 0) return ok('schedulers', `the cluster serves the groups of ${all.join(', ')}`);
    return warning(
      'schedulers',
      'the cluster serves no gang scheduling: jobs that do not fit may hold half of their nodes',
      'Install Volcano or Coscheduling, or turn on Kubernetes’ own (docs/gang-scheduling.md).',
    );
  } catch (error) {
    return warning('schedulers', `cannot be found out: ${errorMessage(error)}`, 'Check the API server.');
  }
}

/** Names versions of APIs that the cluster serves, and calls deprecated, in its words: it answers them with a warning. */
export async function deprecationFindings(
  client: ClusterClient,
  { namespace }: Settings,
): Promise<Finding[]> {
  const told = new Set<string>();
  const groups = await servedGroups(client).catch(() => []);
  for (const resource of [...groups, PODS, CONFIG_MAPS, SERVICES, LEASES]) {
    const warned = (warnings: readonly string[]) => {
      for (const text of warnings) told.add(text);
    };
    // Who may not list them sees no warning.
    await client
      .list(resource, { namespace: namespace ?? 'default', limit: 1, warned })
      .catch(() => undefined);
  }
  if (told.size === 0) return [];
  const server = await client.version().catch(() => ({ gitVersion: '' }));
  const due = [...told].filter((text) => isDue(text, server));
  return due.map((text) =>
    warning('versions', text, 'Upgrade signalbox before the cluster: it uses what both versions serve.'),
  );
}
