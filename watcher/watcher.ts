import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ClusterClient } from '../cluster/client.ts';
import type { ProcessSettings, Running, TemporalSettings } from '../contracts/settings.ts';
import { connectionOptions, connectTemporal, loadDataConverter } from '../temporal/connection.ts';
import { campaign } from './leader.ts';
import { metrics } from './metrics.ts';
import { Readiness } from './readiness.ts';
import { Term, type TermTools } from './term.ts';

export interface WatcherSettings extends ProcessSettings {
  /** Where the lease is by which watchers agree on one of them. */
  readonly leaseNamespace: string;
  /** `signalbox-watcher` without one. */
  readonly leaseName?: string;
  /** Differs between all watchers; without one, host name and a random part. */
  readonly identity?: string;
  /** Between looks for jobs whose workflow ended without clean-up; 30,000 without one. */
  readonly sweepIntervalMs?: number;
  /** 15,000 and 5,000 without one; the API server keeps the duration in whole seconds. */
  readonly lease?: { readonly durationMs: number; readonly renewMs: number };
}

/**
 * Starts a watcher: it tells each job's workflow, by `digest` signals, what the job's pods are doing. Of several
 * watchers with the same lease one works, and the others are ready to take over.
 *
 * Throws if the settings cannot work (an unreadable kubeconfig or certificate). Servers that do not answer are waited
 * for: `unready()` says so.
 */
export async function startWatcher(settings: WatcherSettings, log: Logger): Promise<Running> {
  const cluster = await ClusterClient.connect(settings.cluster);
  connectionOptions(settings.temporal);
  await loadDataConverter(settings.temporal);
  const stop = new AbortController();
  const readiness = new Readiness();
  readiness.set('lease', 'not looked at yet');
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // whoever cares awaits it
  const working = work({ settings, cluster, readiness, log, stop: stop.signal });
  working.catch(failed.reject);
  return {
    failed: failed.promise,
    unready: () => readiness.why(),
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
  // Who cannot tell the workflows anything does not stand for election.
  const temporal = await temporalWhenThere(settings.temporal, { readiness, log, stop });
  if (!temporal) return;
  const tools: TermTools = {
    temporal,
    cluster,
    namespace: settings.cluster.namespace,
    taskQueue: settings.taskQueue,
    sweepIntervalMs: settings.sweepIntervalMs ?? 30_000,
    readiness,
    log,
  };
  try {
    await campaign(cluster, electionOf(settings, readiness), { lead: (term) => lead(tools, term), stop });
  } finally {
    await temporal.connection.close();
  }
}

async function lead(tools: TermTools, term: AbortSignal): Promise<void> {
  tools.log.info('leading');
  metrics.leader.set(1);
  try {
    await new Term(tools, term).run();
  } finally {
    metrics.leader.set(0);
    tools.readiness.clear();
    tools.log.info('no longer leading');
  }
}

function electionOf(settings: WatcherSettings, readiness: Readiness) {
  return {
    namespace: settings.leaseNamespace,
    name: settings.leaseName ?? 'signalbox-watcher',
    identity: settings.identity ?? `${hostname()}_${randomUUID()}`,
    ...(settings.lease ?? { durationMs: 15_000, renewMs: 5_000 }),
    trouble: (error: unknown) => readiness.set('lease', error),
  };
}

async function temporalWhenThere(
  settings: TemporalSettings,
  { readiness, log, stop }: Pick<Work, 'readiness' | 'log' | 'stop'>,
): Promise<Client | undefined> {
  while (!stop.aborted) {
    readiness.set('temporal', `not connected to ${settings.address}`);
    try {
      const client = await connectTemporal(settings);
      readiness.set('temporal', undefined);
      return client;
    } catch (error) {
      log.warn({ err: error, address: settings.address }, 'Temporal does not answer; trying again');
      await delay(1_000, undefined, { signal: stop }).catch(() => undefined);
    }
  }
  return undefined;
}
