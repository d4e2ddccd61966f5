import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ClusterClient } from '../cluster/client.ts';
import { findClusterId } from '../cluster/cluster-id.ts';
import { campaign, type ElectionOptions, ForeignLeaseError } from '../cluster/leader-election.ts';
import { hasHolderEnded, leaseIdentity } from '../cluster/lease-holder.ts';
import type { Home } from '../contracts/home.ts';
import { formatInterruptedStreams } from '../contracts/interrupted-streams.ts';
import { ANNOTATIONS, LABELS } from '../contracts/labels.ts';
import type { ProcessSettings, Running } from '../contracts/settings.ts';
import { asError } from '../language/error-message.ts';
import { pause } from '../language/timers.ts';
import { connectionOptions, loadDataConverter } from '../temporal/connection.ts';
import { ownInstallation } from '../temporal/installation.ts';
import { connectWithRetries } from '../temporal/patient-connection.ts';
import { Readiness } from './readiness.ts';

/** Settings of a process of which several stand by, and one works. */
export interface ElectedSettings extends ProcessSettings {
  /** Namespace of the lease that elects the leader. */
  readonly leaseNamespace: string;
  /** Unique among all candidates; see `leaseIdentity` for the default. */
  readonly identity?: string;
  /** 15,000 and 5,000 by default. The API server stores the duration in whole seconds. */
  readonly lease?: { readonly durationMs: number; readonly renewMs: number };
}

/** What a leader works with. */
export interface ElectedTools {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** The installation and cluster whose jobs it serves. */
  readonly home: Home;
  readonly readiness: Readiness;
  readonly log: Logger;
  /** Nobody else has led since its last term: it may go on from what it knew then. */
  readonly isResumed: boolean;
}

interface Office {
  readonly part: 'watcher' | 'bridge';
  readonly leaseName: string;
  /** Resolves when somebody is to lead: at once if absent. Asked again if another installation holds the lease. */
  untilWanted?(tools: Tools, stop: AbortSignal): Promise<void>;
  /** The leader's work until the signal aborts; must end soon after. */
  lead(tools: ElectedTools, term: AbortSignal): Promise<void>;
  /** Called when it begins and ends to lead. */
  leads(isLeading: boolean): void;
  /** What it does not do while it cannot tell this cluster from others; for its log. */
  readonly withoutClusterId: string;
}

/**
 * Starts a process that takes part in an election, and works while it leads. Throws if the settings cannot work (an unreadable
 * kubeconfig or certificate). Waits for servers that are unavailable; `unready()` reports that.
 */
export async function startElected(settings: ElectedSettings, office: Office, log: Logger): Promise<Running> {
  const cluster = await ClusterClient.connect(settings.cluster);
  connectionOptions(settings.temporal);
  await loadDataConverter(settings.temporal);
  const stop = new AbortController();
  const readiness = new Readiness();
  readiness.set('lease', 'not checked yet');
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // callers may ignore it
  const working = work({ settings, office, cluster, readiness, log, stop: stop.signal });
  working.catch(failed.reject);
  return {
    failed: failed.promise,
    unready: () => readiness.why(),
    impaired: () => readiness.impairedBy(),
    stop: async () => {
      stop.abort();
      await working.catch(() => undefined);
      await cluster.close();
    },
  };
}

type Tools = Omit<ElectedTools, 'isResumed'>;

interface Work extends Pick<ElectedTools, 'cluster' | 'readiness' | 'log'> {
  readonly settings: ElectedSettings;
  readonly office: Office;
  readonly stop: AbortSignal;
}

async function work({ settings, office, cluster, readiness, log, stop }: Work): Promise<void> {
  // Who cannot reach Temporal does not stand for election.
  const waiting = (why: string | undefined) => readiness.set('temporal', why);
  const temporal = await connectWithRetries(settings.temporal, { waiting, log, stop });
  if (!temporal) return;
  try {
    const home = await waitForInstallation(temporal, { settings, office, cluster, readiness, log, stop });
    if (!home) return;
    await stand(settings, office, { tools: { temporal, cluster, home, readiness, log }, stop });
  } finally {
    await temporal.connection.close();
  }
}

async function stand(
  settings: ElectedSettings,
  office: Office,
  { tools, stop }: { readonly tools: Tools; readonly stop: AbortSignal },
): Promise<void> {
  const election = electionOf(settings, office, tools);
  while (!stop.aborted) {
    await office.untilWanted?.(tools, stop);
    try {
      await campaign(tools.cluster, election, {
        lead: (term, isResumed) => lead(office, { ...tools, isResumed }, term),
        stop,
      });
    } catch (error) {
      if (!office.untilWanted || !(error instanceof ForeignLeaseError)) throw error;
    }
  }
}

async function lead(office: Office, tools: ElectedTools, term: AbortSignal): Promise<void> {
  tools.log.info('leading');
  office.leads(true);
  try {
    await office.lead(tools, term);
  } finally {
    office.leads(false);
    tools.readiness.clear();
    tools.log.info('no longer leading');
  }
}

function electionOf(
  settings: ElectedSettings,
  { part, leaseName }: Office,
  { home, readiness, log }: Tools,
): ElectionOptions {
  return {
    namespace: settings.leaseNamespace,
    name: leaseName,
    labels: { [LABELS.part]: part },
    installation: home.installation,
    tookOver: (installation) =>
      log.warn({ installation }, 'took the lease over from another installation; its jobs are not touched'),
    identity: settings.identity ?? leaseIdentity(),
    hasEnded: hasHolderEnded,
    ...(settings.lease ?? { durationMs: 15_000, renewMs: 5_000 }),
    trouble: (error: unknown) => readiness.set('lease', error),
    annotations: () => ({
      [ANNOTATIONS.interruptedStreams]: formatInterruptedStreams(readiness.streams.interruptions()),
    }),
  };
}

/** Retries until installation and cluster are known. Without them nobody stands for election either. */
async function waitForInstallation(
  temporal: Client,
  { settings, office, cluster, readiness, log, stop }: Work,
): Promise<Home | undefined> {
  let said: string | undefined;
  while (!stop.aborted) {
    try {
      const installation = await ownInstallation(temporal);
      const clusterId = settings.cluster.id ?? (await findClusterId(cluster));
      readiness.set('home', undefined);
      if (!clusterId) log.warn(`${NO_CLUSTER_ID}, so it ${office.withoutClusterId}. ${REMEDY}`);
      return { installation, clusterId };
    } catch (error) {
      readiness.set('home', error);
      const { message, remedy = '' } = asError(error) as Error & { readonly remedy?: string };
      if (message !== said)
        log.warn({ err: error }, `installation and cluster are not known yet; retrying. ${remedy}`.trim());
      said = message;
      await pause(1_000, stop);
    }
  }
  return undefined;
}

const NO_CLUSTER_ID = 'this process may not read the namespace kube-system';
const REMEDY =
  'Allow it to get the namespace kube-system, or set SIGNALBOX_CLUSTER_ID for workers, watchers and bridges';
