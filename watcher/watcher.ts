import type { Logger } from 'pino';
import type { Home } from '../contracts/home.ts';
import type { Running } from '../contracts/settings.ts';
import { type LeaderSettings, type LeaderTools, startCandidate } from '../leader/leader-process.ts';
import { keepCensus } from './census-loop.ts';
import { noGrants } from './lanes/lanes-loop.ts';
import { LeaderSession, type LeaderSessionOptions } from './leader-session.ts';
import { metrics } from './metrics.ts';
import type { HealthTable } from './nodes/health-table.ts';

export interface WatcherSettings extends LeaderSettings {
  readonly leaseName: string;
  /** Milliseconds between searches for jobs whose workflow ended without clean-up; 30,000 by default. */
  readonly scanIntervalMs?: number;
  /** Whether the steps of jobs are read from their logs without configuration; true by default. */
  readonly readsSteps?: boolean;
  /** What sources of health write on nodes; by default what the known ones do. */
  readonly health?: HealthTable;
  /** The label of manifests that names a team, for metrics. */
  readonly teamLabel?: string;
}

/**
 * Starts a watcher, which sends each job's workflow the state of the job's pods in `digest` signals. Of several
 * watchers with the same lease, one works and the others stand by.
 */
export const startWatcher = (settings: WatcherSettings, log: Logger): Promise<Running> => {
  const { leaseName, teamLabel, cluster, taskQueue, lanes, scanIntervalMs = 30_000 } = settings;
  const { readsSteps = true, health } = settings;
  let grants = noGrants();
  const candidate = {
    part: 'watcher' as const,
    leaseName,
    onLeadingChanged: (isLeading: boolean) => metrics.leader.set(isLeading ? 1 : 0),
    onStartedLeading: async (leader: LeaderTools, leadership: AbortSignal) => {
      const noteForeign = foreignNotes(leader.home, log);
      const own = {
        ...{ namespaces: cluster.namespaces, taskQueue, lanes, scanIntervalMs, readsSteps, teamLabel },
        ...(health ? { health } : {}),
      };
      if (!leader.isResumed) grants = noGrants();
      const tools = { ...leader, ...own, noteForeign, grants };
      await Promise.all([new LeaderSession(tools, leadership).run(), keepCensus(tools, leadership)]);
    },
    withoutClusterId:
      'cannot identify this cluster and does not look for jobs whose anchor was deleted while no watcher ran',
  };
  return startCandidate(settings, candidate, log);
};

/** Any user can write labels of installations that do not exist. */
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
