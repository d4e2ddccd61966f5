import type { ClusterClient } from '../../cluster/client.ts';
import { listAll } from '../../cluster/list-all.ts';
import { LanesConfigError, readLanes } from '../../cluster/read-lanes.ts';
import { NAMESPACES } from '../../contracts/kubernetes.ts';
import { type LanesConfig, mayUseLane } from '../../contracts/lanes.ts';
import { namespacesText, type ServedNamespaces } from '../../contracts/served-namespaces.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('lanes');

/** Looks at the lanes of the installation, if it has some: whether they can be used, and by whom. */
export async function laneFindings(
  client: Pick<ClusterClient, 'find' | 'list'>,
  { lanes: reference, cluster }: Pick<Settings, 'lanes' | 'cluster'>,
): Promise<Finding[]> {
  if (!reference) return [];
  const where = `ConfigMap ${reference.namespace}/${reference.name}`;
  try {
    const lanes = await readLanes(client, reference);
    const faulty = faultyLanes(lanes, where);
    const unusable = await unusableLanes(client, lanes, { where, served: cluster.namespaces });
    const names = Object.keys(lanes.lanes).filter((name) => lanes.lanes[name]!.fault === undefined);
    const usable =
      names.length > 0 ? [ok('config', `${where} has lanes that jobs can use: ${names.join(', ')}`)] : [];
    return [...usable, ...faulty, ...unusable];
  } catch (error) {
    if (error instanceof LanesConfigError)
      return [
        fault(
          'config',
          `no job of a lane starts, and none is admitted: ${error.message.trim()}`,
          `A user who may edit ${where} has to mend that (docs/queue.md#configuration); or unset SIGNALBOX_LANES.`,
        ),
      ];
    return [
      warning(
        'config',
        `${where} cannot be read: ${errorMessage(error)}`,
        `Ask for the right to get ${where}.`,
      ),
    ];
  }
}

function faultyLanes({ lanes }: LanesConfig, where: string): Finding[] {
  return Object.entries(lanes).flatMap(([name, lane]) =>
    lane.fault === undefined
      ? []
      : [
          fault(
            'config',
            `lane ${name} has a fault, and its jobs wait: ${lane.fault}`,
            `A user who may edit ${where} has to mend that (docs/queue.md#configuration).`,
          ),
        ],
  );
}

/** Lanes that no namespace may use, as far as this account may see which there are. */
async function unusableLanes(
  client: Pick<ClusterClient, 'list'>,
  { lanes }: LanesConfig,
  { where, served }: { readonly where: string; readonly served: ServedNamespaces },
): Promise<Finding[]> {
  const namespaces = served ?? (await namespacesIn(client).catch(() => undefined));
  if (!namespaces) return [];
  const asked = served ? `of ${namespacesText(served)}` : 'that the cluster has';
  return Object.entries(lanes).flatMap(([name, lane]) =>
    namespaces.some((namespace) => mayUseLane(lane, namespace))
      ? []
      : [
          warning(
            'config',
            `nobody may use lane ${name}: no namespace ${asked} is one of ${lane.namespaces?.join(', ')}`,
            `Correct lanes.${name}.namespaces in ${where}, or create the namespace.`,
          ),
        ],
  );
}

async function namespacesIn(client: Pick<ClusterClient, 'list'>): Promise<readonly string[]> {
  const { objects } = await listAll(client, { resource: NAMESPACES });
  return objects.map(({ metadata }) => metadata.name);
}
