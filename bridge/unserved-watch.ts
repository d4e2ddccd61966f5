import type { Logger } from 'pino';
import { ClusterClient } from '../cluster/client.ts';
import type { ClusterSettings, Running } from '../contracts/settings.ts';
import { pause } from '../language/timers.ts';
import { findBridgeLeases } from './find-operators.ts';
import { type BridgedScope, findBridgedJobs, namedJobs } from './unserved-resources.ts';

interface WatchSettings {
  readonly cluster: ClusterSettings;
  readonly bridgeTakes: BridgedScope['takes'];
}

const LOOK_MS = 10_000;

/** Runs where no bridge is to run, and says which custom resources of jobs wait for one: nothing else would. */
export async function startUnservedWatch(
  { cluster: where, bridgeTakes: takes }: WatchSettings,
  log: Logger,
): Promise<Running> {
  const cluster = await ClusterClient.connect(where);
  const stop = new AbortController();
  const looking = look({ cluster, log, asked: { takes, namespaces: where.namespaces } }, stop.signal);
  return {
    failed: new Promise<never>(() => undefined),
    unready: () => undefined,
    stop: async () => {
      stop.abort();
      await looking;
      await cluster.close();
    },
  };
}

interface Looking {
  readonly cluster: Pick<ClusterClient, 'serves' | 'list'>;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
  readonly asked: BridgedScope;
}

/** Says it once of each. */
export async function look({ cluster, log, asked }: Looking, stop: AbortSignal): Promise<void> {
  let said = new Set<string>();
  while (!stop.aborted) {
    try {
      const isBridged = (await findBridgeLeases(cluster)).length > 0;
      const found = isBridged ? [] : await findBridgedJobs(cluster, asked);
      const news = found.filter((one) => !said.has(one));
      if (news.length > 0) log.warn(unservedText(news));
      said = new Set(found);
    } catch (error) {
      log.debug({ err: error }, 'custom resources of jobs cannot be looked at');
    }
    await pause(LOOK_MS, stop);
  }
}

const unservedText = (jobs: readonly string[]) =>
  `no bridge runs the jobs that were applied: ${namedJobs(jobs)}. With SIGNALBOX_BRIDGE=auto, \`signalbox up\` does; so does \`signalbox bridge\``;
