import type { Logger } from 'pino';
import type { BridgeTakes, Running } from '../contracts/settings.ts';
import { type LeaderSettings, type LeaderTools, startCandidate } from '../leader/leader-process.ts';
import { bridgeMetrics } from './metrics.ts';
import { untilWanted } from './until-wanted.ts';

interface BridgeSettings extends LeaderSettings {
  /** It waits until the cluster serves kinds of jobs that nobody else runs. */
  readonly onlyIfWanted?: boolean;
  readonly bridgeLeaseName: string;
  readonly bridgeTakes: BridgeTakes;
}

/**
 * Starts a bridge, which runs the jobs that are applied as custom resources, and shows on them what became of them. It holds no
 * state: what it does follows from the resources, the anchors of jobs, and what Temporal knows of a job. Of several bridges with the
 * same lease, one works and the others stand by.
 */
export const startBridge = (settings: BridgeSettings, log: Logger): Promise<Running> => {
  const { bridgeLeaseName: leaseName, bridgeTakes: takes, taskQueue, leaseNamespace } = settings;
  const { namespaces } = settings.cluster;
  const own = { takes, namespaces, lease: `${leaseNamespace}/${leaseName}` };
  const waits = (tools: Omit<LeaderTools, 'isResumed'>, stop: AbortSignal) =>
    untilWanted({ ...tools, ...own }, stop);
  const candidate = {
    part: 'bridge',
    leaseName,
    untilWanted: settings.onlyIfWanted ? waits : undefined,
    onLeadingChanged: (isLeading: boolean) => bridgeMetrics.leader.set(isLeading ? 1 : 0),
    onStartedLeading: async (tools, leadership) => {
      const { BridgeSession } = await import('./bridge-session.ts');
      return new BridgeSession({ ...tools, taskQueue, takes, namespaces }, leadership).run();
    },
    withoutClusterId: 'cannot tell this cluster from others of the same Temporal namespace',
  } satisfies Parameters<typeof startCandidate>[1];
  return startCandidate(settings, candidate, log);
};
