import type { Logger } from 'pino';
import type { BridgeTakes, Running } from '../contracts/settings.ts';
import { type ElectedSettings, startElected } from '../elected/elected-process.ts';
import { BridgeSession } from './bridge-session.ts';
import { bridgeMetrics } from './metrics.ts';

export interface BridgeSettings extends ElectedSettings {
  readonly bridgeLeaseName: string;
  readonly bridgeTakes: BridgeTakes;
}

/**
 * Starts a bridge, which runs the jobs that are applied as custom resources, and shows on them what became of them. It holds no
 * state: what it does follows from the resources, the anchors of jobs, and what Temporal knows of a job. Of several bridges with the
 * same lease, one works and the others stand by.
 */
export const startBridge = (settings: BridgeSettings, log: Logger): Promise<Running> => {
  const { bridgeLeaseName: leaseName, bridgeTakes: takes, taskQueue, cluster } = settings;
  const office = {
    leaseName,
    leads: (isLeading: boolean) => bridgeMetrics.leader.set(isLeading ? 1 : 0),
    lead: (tools, term) =>
      new BridgeSession({ ...tools, taskQueue, takes, namespaces: cluster.namespaces }, term).run(),
    withoutClusterId: 'cannot tell this cluster from others of the same Temporal namespace',
  } satisfies Parameters<typeof startElected>[1];
  return startElected(settings, office, log);
};
