import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../cluster/client.ts';
import { interruptedSince, parseInterruptedStreams } from '../../contracts/interrupted-streams.ts';
import { type KubeObject, LEASES, type Lease } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../contracts/labels.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { clockFinding } from './clock-finding.ts';
import { type Finding, findingsOf } from './finding.ts';

const START =
  'Start one: `signalbox up` here, or `kubectl -n signalbox-system get pods` to see why those of the cluster do not run.';

interface Spec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}

/** A part of which one leads, and what does not work without it. */
const PARTS = {
  watcher: {
    nameOf: ({ leaseName }: Settings) => leaseName,
    without: 'jobs get no digests of their pods',
    unheard: 'Until then policy limits that depend on these objects wait.',
  },
  bridge: {
    nameOf: ({ bridgeLeaseName }: Settings) => bridgeLeaseName,
    without: 'no custom resource becomes a job',
    unheard: 'Until then nothing happens to these resources.',
  },
} as const;
type LeaderPart = keyof typeof PARTS;

/**
 * Looks at the lease of a watcher or a bridge: one that leads renews it all the time, and notes on it which of its streams are
 * interrupted. `installation`: the id of ours, if known.
 */
export async function leaderFindings(
  part: LeaderPart,
  client: ClusterClient,
  { settings, installation }: { readonly settings: Settings; readonly installation: string | undefined },
): Promise<Finding[]> {
  const { leaseNamespace } = settings;
  const leaseName = PARTS[part].nameOf(settings);
  let lease: Lease | undefined;
  const read = async () => {
    lease = await client.find(LEASES, leaseNamespace, leaseName);
    return lease;
  };
  const named = `lease ${leaseNamespace}/${leaseName}`;
  const finding = await leaseFinding(read, { part, named, installation });
  return finding.state === 'ok'
    ? [finding, ...clockFindings(part, lease), ...streamFindings(part, lease)]
    : [finding];
}

/** The API server notes when the leader wrote its own time; that is in whole seconds. */
function clockFindings(part: LeaderPart, lease: Lease | undefined): Finding[] {
  const written = (lease?.metadata.managedFields ?? []).map(({ time }) => Date.parse(time ?? ''));
  const aheadMs = Date.parse(lease?.spec?.renewTime ?? '') - Math.max(...written);
  if (!Number.isFinite(aheadMs)) return [];
  const whose = `the clock of the ${part}`;
  return [clockFinding(aheadMs, { part, whose, than: 'that of the API server' })];
}

function streamFindings(part: LeaderPart, lease: KubeObject | undefined): Finding[] {
  const interruptions = parseInterruptedStreams(
    lease?.metadata.annotations?.[ANNOTATIONS.interruptedStreams],
  );
  return interruptions.map((interruption) =>
    findingsOf(part).fault(
      'streams',
      `the ${part} does not hear of changes: ${interruptedSince(interruption)}`,
      `Check its rights (\`signalbox doctor --for ${part}\`, with its credentials) and its connection to the API server. ${PARTS[part].unheard}`,
    ),
  );
}

interface AskedLease {
  readonly part: LeaderPart;
  readonly named: string;
  readonly installation: string | undefined;
}

async function leaseFinding(
  read: () => Promise<KubeObject | undefined>,
  { part, named, installation }: AskedLease,
): Promise<Finding> {
  const { ok, warning, fault } = findingsOf(part);
  try {
    const lease = await read();
    if (!lease)
      return fault(
        'lease',
        `there is no ${named}: no ${part} has run, so ${PARTS[part].without}`,
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
    // The clocks of two machines may differ: what counts is whether it is renewed.
    if (isFresh || (await isRenewed(read, renewTime, leaseDurationSeconds)))
      return ok('lease', `${hostOf(holderIdentity)} leads (${named})`);
    return fault(
      'lease',
      `no ${part} holds the ${named}; it was last renewed at ${renewTime}, by ${hostOf(holderIdentity)}`,
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
  'If its lease has another name or namespace, set SIGNALBOX_LEASE_NAME, for the bridge SIGNALBOX_BRIDGE_LEASE_NAME, and SIGNALBOX_LEASE_NAMESPACE.';

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
