import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../cluster/client.ts';
import { interruptedSince, parseInterruptedStreams } from '../../contracts/interrupted-streams.ts';
import { type KubeObject, LEASES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../contracts/labels.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('watcher');

const START =
  'Start one: `signalbox up` here, or `kubectl -n signalbox-system get pods` to see why those of the cluster do not run.';

interface Spec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}

/**
 * Looks at the lease: a watcher that leads renews it all the time, and notes on it which of its streams are interrupted.
 * `installation`: the id of ours, if known.
 */
export async function watcherFindings(
  client: ClusterClient,
  settings: Settings,
  installation: string | undefined,
): Promise<Finding[]> {
  const { leaseNamespace, leaseName } = settings;
  let lease: KubeObject | undefined;
  const read = async () => {
    lease = await client.find(LEASES, leaseNamespace, leaseName);
    return lease;
  };
  const finding = await leaseFinding(read, settings, installation);
  return finding.state === 'ok' ? [finding, ...streamFindings(lease)] : [finding];
}

function streamFindings(lease: KubeObject | undefined): Finding[] {
  const interruptions = parseInterruptedStreams(
    lease?.metadata.annotations?.[ANNOTATIONS.interruptedStreams],
  );
  return interruptions.map((interruption) =>
    fault(
      'streams',
      `the watcher does not hear of changes: ${interruptedSince(interruption)}`,
      'Check its rights (`signalbox doctor --for watcher`, with its credentials) and its connection to the API server. Until then policy limits that depend on these objects wait.',
    ),
  );
}

async function leaseFinding(
  read: () => Promise<KubeObject | undefined>,
  settings: Settings,
  installation: string | undefined,
): Promise<Finding> {
  const { leaseNamespace, leaseName } = settings;
  const named = `lease ${leaseNamespace}/${leaseName}`;
  try {
    const lease = await read();
    if (!lease)
      return fault(
        'lease',
        `there is no ${named}: no watcher has run, so jobs get no digests of their pods`,
        `${START} ${OTHER_LEASE}`,
      );
    const owner = lease.metadata.annotations?.[LABELS.installation];
    if (installation && owner && owner !== installation)
      return fault(
        'lease',
        `the ${named} belongs to another installation (${owner})`,
        'Give each installation its own: SIGNALBOX_LEASE_NAME (docs/deployment.md#two-installations-on-one-cluster).',
      );
    const { holderIdentity, renewTime, leaseDurationSeconds = 15 } = specOfLease(lease);
    const isFresh = Date.now() - Date.parse(renewTime ?? '') < leaseDurationSeconds * 1000;
    // The clocks of two machines may differ: what counts is whether somebody renews it.
    if (isFresh || (await isRenewed(read, renewTime, leaseDurationSeconds)))
      return ok('lease', `${hostOf(holderIdentity)} leads (${named})`);
    return fault(
      'lease',
      `no watcher holds the ${named}; it was last renewed at ${renewTime}, by ${hostOf(holderIdentity)}`,
      START,
    );
  } catch (error) {
    return warning(
      'lease',
      `the ${named} cannot be read: ${errorMessage(error)}`,
      'With `get` on leases there, it can.',
    );
  }
}

const OTHER_LEASE =
  'If its lease has another name or namespace, set SIGNALBOX_LEASE_NAME and SIGNALBOX_LEASE_NAMESPACE.';

const specOfLease = (lease: object): Spec => (lease as { readonly spec?: Spec }).spec ?? {};

/** Leaders renew after a third of the duration. */
async function isRenewed(
  read: () => Promise<object | undefined>,
  before: string | undefined,
  seconds: number,
) {
  await delay((seconds * 1000) / 2);
  const lease = await read();
  return lease !== undefined && specOfLease(lease).renewTime !== before;
}

/** An identity begins with the host; the rest only tells processes apart. */
const hostOf = (identity: string | undefined): string => identity?.split('_')[0] || 'nobody';
