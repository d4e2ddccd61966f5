import type { Logger } from 'pino';
import { ClusterClient } from '../cluster/client.ts';
import { findClusterId } from '../cluster/cluster-id.ts';
import { campaign, type ElectionOptions } from '../cluster/leader-election.ts';
import { hasHolderEnded, leaseIdentity } from '../cluster/lease-holder.ts';
import type { Home } from '../contracts/home.ts';
import { formatInterruptedStreams } from '../contracts/interrupted-streams.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import type { ProcessSettings, Running } from '../contracts/settings.ts';
import { pause } from '../language/timers.ts';
import { connectionOptions, loadDataConverter } from '../temporal/connection.ts';
import { installationOf } from '../temporal/installation.ts';
import { connectWithRetries } from '../temporal/patient-connection.ts';
import { keepCensus } from './census-loop.ts';
import { Readiness } from './informers/readiness.ts';
import { LeaderSession, type LeaderSessionOptions } from './leader-session.ts';
import { metrics } from './metrics.ts';

export interface WatcherSettings extends ProcessSettings {
  /** Namespace of the lease that elects the leader. */
  readonly leaseNamespace: string;
  readonly leaseName: string;
  /** Unique among all watchers; see `leaseIdentity` for the default. */
  readonly identity?: string;
  /** Milliseconds between searches for jobs whose workflow ended without clean-up; 30,000 by default. */
  readonly sweepIntervalMs?: number;
  /** The label of manifests that names a team, for metrics. */
  readonly teamLabel?: string;
  /** 15,000 and 5,000 by default. The API server stores the duration in whole seconds. */
  readonly lease?: { readonly durationMs: number; readonly renewMs: number };
}

/**
 * Starts a watcher, which sends each job's workflow the state of the job's pods in `digest` signals. Of several
 * watchers with the same lease, one works and the others stand by.
 *
 * Throws if the settings cannot work (an unreadable kubeconfig or certificate). Waits for servers that are unavailable;
 * `unready()` reports that.
 */
export async function startWatcher(settings: WatcherSettings, log: Logger): Promise<Running> {
  const cluster = await ClusterClient.connect(settings.cluster);
  connectionOptions(settings.temporal);
  await loadDataConverter(settings.temporal);
  const stop = new AbortController();
  const readiness = new Readiness();
  readiness.set('lease', 'not checked yet');
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // callers may ignore it
  const working = work({ settings, cluster, readiness, log, stop: stop.signal });
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

interface Work {
  readonly settings: WatcherSettings;
  readonly cluster: ClusterClient;
  readonly readiness: Readiness;
  readonly log: Logger;
  readonly stop: AbortSignal;
}

async function work({ settings, cluster, readiness, log, stop }: Work): Promise<void> {
  // A watcher that cannot reach Temporal does not stand for election.
  const waiting = (why: string | undefined) => readiness.set('temporal', why);
  const temporal = await connectWithRetries(settings.temporal, { waiting, log, stop });
  if (!temporal) return;
  try {
    const home = await waitForInstallation({ temporal, cluster, settings }, { readiness, log, stop });
    if (!home) return;
    const tools: LeaderSessionOptions = {
      temporal,
      cluster,
      home,
      noteForeign: foreignNotes(home, log),
      namespace: settings.cluster.namespace,
      taskQueue: settings.taskQueue,
      sweepIntervalMs: settings.sweepIntervalMs ?? 30_000,
      readiness,
      log,
    };
    const { teamLabel } = settings;
    const work = (term: AbortSignal) => lead({ ...tools, teamLabel }, term);
    await campaign(cluster, electionOf(settings, tools), { lead: work, stop });
  } finally {
    await temporal.connection.close();
  }
}

async function lead(
  tools: LeaderSessionOptions & Pick<WatcherSettings, 'teamLabel'>,
  term: AbortSignal,
): Promise<void> {
  tools.log.info('leading');
  metrics.leader.set(1);
  try {
    await Promise.all([new LeaderSession(tools, term).run(), keepCensus(tools, term)]);
  } finally {
    metrics.leader.set(0);
    tools.readiness.clear();
    tools.log.info('no longer leading');
  }
}

function electionOf(
  settings: WatcherSettings,
  { home, readiness, log }: LeaderSessionOptions,
): ElectionOptions {
  return {
    namespace: settings.leaseNamespace,
    name: settings.leaseName,
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

/** Anybody can write labels of installations that do not exist. */
const MOST_FOREIGN = 20;

/** Logs each other installation once when the watcher finds a job of it. */
function foreignNotes(own: Home, log: Logger): LeaderSessionOptions['noteForeign'] {
  const reported = new Set<string>();
  return ({ installation, clusterId, namespace, name }) => {
    const whose = `${installation}/${clusterId}`;
    if (reported.has(whose) || reported.size >= MOST_FOREIGN) return;
    reported.add(whose);
    log.warn(
      { installation, clusterId, example: `${namespace}/${name}`, own },
      'this cluster has jobs of another signalbox installation; they are not touched',
    );
  };
}

/** Retries until installation and cluster are known. Without them a watcher does not stand for election either. */
async function waitForInstallation(
  {
    temporal,
    cluster,
    settings,
  }: Pick<LeaderSessionOptions, 'temporal' | 'cluster'> & Pick<Work, 'settings'>,
  { readiness, log, stop }: Pick<Work, 'readiness' | 'log' | 'stop'>,
): Promise<Home | undefined> {
  while (!stop.aborted) {
    try {
      const installation = await installationOf(temporal);
      const clusterId = settings.cluster.id ?? (await findClusterId(cluster));
      readiness.set('home', undefined);
      if (!clusterId) log.warn(NO_CLUSTER_ID);
      return { installation, clusterId };
    } catch (error) {
      readiness.set('home', error);
      log.warn({ err: error }, 'installation and cluster are not known yet; retrying');
      await pause(1_000, stop);
    }
  }
  return undefined;
}

const NO_CLUSTER_ID =
  'this watcher may not read the namespace kube-system, so it cannot identify this cluster and does not look for jobs whose anchor was deleted while no watcher ran. Allow it to get the namespace kube-system, or set SIGNALBOX_CLUSTER_ID for workers and watchers';
