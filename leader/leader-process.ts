import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ClusterClient } from '../cluster/client.ts';
import { findClusterId } from '../cluster/cluster-id.ts';
import { type ElectionOptions, ForeignLeaseError, runLeaderElection } from '../cluster/leader-election.ts';
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
export interface LeaderSettings extends ProcessSettings {
  /** Namespace of the lease that elects the leader. */
  readonly leaseNamespace: string;
  /** Unique among all candidates; see `leaseIdentity` for the default. */
  readonly identity?: string;
  /** 15,000 and 5,000 by default. The API server stores the duration in whole seconds. */
  readonly lease?: { readonly durationMs: number; readonly renewMs: number };
}

/** What a leader works with. */
export interface LeaderTools {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** The installation and cluster whose jobs it serves. */
  readonly home: Home;
  readonly readiness: Readiness;
  readonly log: Logger;
  /** No other process has led since it led last: it may go on from what it knew then. */
  readonly isResumed: boolean;
}

/** A process that stands for election, in the words of client-go. */
interface Candidate {
  readonly part: 'watcher' | 'bridge';
  readonly leaseName: string;
  /** Resolves when a process is to stand for election: at once if absent. Called again if another installation holds the lease. */
  untilWanted?(tools: Tools, stop: AbortSignal): Promise<void>;
  /** The leader's work until the signal aborts; must end soon after. */
  onStartedLeading(tools: LeaderTools, leadership: AbortSignal): Promise<void>;
  /** Called when it begins and when it ends to lead. */
  onLeadingChanged(isLeading: boolean): void;
  /** What it does not do while it cannot tell this cluster from others; for its log. */
  readonly withoutClusterId: string;
}

/**
 * Starts a process that takes part in an election, and works while it leads. Throws if the settings cannot work (an unreadable
 * kubeconfig or certificate). Waits for servers that are unavailable; `unready()` reports that.
 */
export async function startCandidate(
  settings: LeaderSettings,
  candidate: Candidate,
  log: Logger,
): Promise<Running> {
  const cluster = await ClusterClient.connect(settings.cluster);
  connectionOptions(settings.temporal);
  await loadDataConverter(settings.temporal);
  const stop = new AbortController();
  const readiness = new Readiness();
  readiness.set('lease', 'not checked yet');
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // callers may ignore it
  const working = work({ settings, candidate, cluster, readiness, log, stop: stop.signal });
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

type Tools = Omit<LeaderTools, 'isResumed'>;

interface Work extends Pick<LeaderTools, 'cluster' | 'readiness' | 'log'> {
  readonly settings: LeaderSettings;
  readonly candidate: Candidate;
  readonly stop: AbortSignal;
}

async function work({ settings, candidate, cluster, readiness, log, stop }: Work): Promise<void> {
  // A process that cannot reach Temporal does not stand for election.
  const waiting = (why: string | undefined) => readiness.set('temporal', why);
  const temporal = await connectWithRetries(settings.temporal, { waiting, log, stop });
  if (!temporal) return;
  try {
    const home = await waitForInstallation(temporal, { settings, candidate, cluster, readiness, log, stop });
    if (!home) return;
    await standForElection(settings, candidate, { tools: { temporal, cluster, home, readiness, log }, stop });
  } finally {
    await temporal.connection.close();
  }
}

async function standForElection(
  settings: LeaderSettings,
  candidate: Candidate,
  { tools, stop }: { readonly tools: Tools; readonly stop: AbortSignal },
): Promise<void> {
  const election = electionOf(settings, candidate, tools);
  while (!stop.aborted) {
    await candidate.untilWanted?.(tools, stop);
    try {
      await runLeaderElection(tools.cluster, election, {
        onStartedLeading: (leadership, isResumed) => lead(candidate, { ...tools, isResumed }, leadership),
        stop,
      });
    } catch (error) {
      if (!candidate.untilWanted || !(error instanceof ForeignLeaseError)) throw error;
    }
  }
}

async function lead(candidate: Candidate, tools: LeaderTools, leadership: AbortSignal): Promise<void> {
  tools.log.info('leading');
  candidate.onLeadingChanged(true);
  try {
    await candidate.onStartedLeading(tools, leadership);
  } finally {
    candidate.onLeadingChanged(false);
    tools.readiness.clear();
    tools.log.info('no longer leading');
  }
}

function electionOf(
  settings: LeaderSettings,
  { part, leaseName }: Candidate,
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

/** Retries until installation and cluster are known. Without them the process does not stand for election either. */
async function waitForInstallation(
  temporal: Client,
  { settings, candidate, cluster, readiness, log, stop }: Work,
): Promise<Home | undefined> {
  let said: string | undefined;
  while (!stop.aborted) {
    try {
      const installation = await ownInstallation(temporal);
      const clusterId = settings.cluster.id ?? (await findClusterId(cluster));
      readiness.set('home', undefined);
      if (!clusterId) log.warn(`${NO_CLUSTER_ID}, so it ${candidate.withoutClusterId}. ${REMEDY}`);
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
