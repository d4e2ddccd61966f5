import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import {
  NOTIFIER,
  type NotifierActivities,
  notifierIdOf,
  notifierQueueOf,
} from '../contracts/notifications.ts';
import type { ConsoleSettings, ProcessSettings, Running } from '../contracts/settings.ts';
import { NOTIFIER_HEARTBEAT } from '../contracts/timing.ts';
import { pause } from '../language/timers.ts';
import { connectionOptions, loadDataConverter } from '../temporal/connection.ts';
import { ownInstallation } from '../temporal/installation.ts';
import { connectWithRetries } from '../temporal/patient-connection.ts';
import { findBundle } from '../worker/bundle.ts';
import { IGNORED_SINKS } from '../worker/replay/ignored-sinks.ts';
import { installRuntime } from '../worker/runtime.ts';
import { temporalLogger } from '../worker/temporal-logger.ts';
import { deliver } from './deliver.ts';
import { goodputReader } from './goodput-reader.ts';
import { lookForNews } from './look-for-news.ts';
import { NewsMemory, type NotifierHost } from './news-session.ts';
import { KeptRoutes } from './routes/kept-routes.ts';
import { Turns } from './turns.ts';

export interface NotifierSettings extends ProcessSettings {
  /** Path of the file of routes. */
  readonly notifications?: string;
  readonly workerIdentity?: string;
  readonly console?: Pick<ConsoleSettings, 'url'>;
}

/** One that waits for an answer takes memory, and no processor time. */
const DELIVERIES_AT_ONCE = 50;
const LOOK_MS = 60_000;
const RETRY_MS = 5_000;

/**
 * Starts a notifier, which tells people what becomes of jobs. Of several, one looks for news, and all deliver. It needs no
 * cluster. One whose file has faults tells nothing, and says so; with `up` it must not keep jobs from running. Waits for a
 * Temporal server that does not answer.
 */
export async function startNotifier(settings: NotifierSettings, log: Logger): Promise<Running> {
  if (settings.notifications === undefined) throw new NoRoutesError('No file of routes is set.');
  const kept = new KeptRoutes(settings.notifications);
  const metrics = await installRuntime(log);
  connectionOptions(settings.temporal);
  const dataConverter = await loadDataConverter(settings.temporal);
  const workflowBundle = await findBundle(dataConverter, temporalLogger(log));
  const stop = new AbortController();
  const tools: Tools = { settings, log, kept, dataConverter, workflowBundle, stop: stop.signal };
  let unready: string | undefined = 'starting';
  let worker: Worker | undefined;
  const working = work(tools, {
    waiting: (why) => {
      unready = why;
    },
    started: (one) => {
      worker = one;
    },
  });
  working.catch(() => undefined); // callers may await `failed`
  return {
    failed: working.then(() => new Promise<never>(() => undefined)),
    metrics,
    unready: () => (worker ? stateOf(worker) : unready),
    impaired: () => (kept.faults.length > 0 ? `the routes have faults: ${kept.faults[0]}` : undefined),
    stop: async () => {
      stop.abort();
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await working;
    },
  };
}

interface Tools {
  readonly settings: NotifierSettings;
  readonly log: Logger;
  readonly kept: KeptRoutes;
  readonly dataConverter: Awaited<ReturnType<typeof loadDataConverter>>;
  readonly workflowBundle: Awaited<ReturnType<typeof findBundle>>;
  readonly stop: AbortSignal;
}

interface Progress {
  waiting(why: string | undefined): void;
  started(worker: Worker): void;
}

class NoRoutesError extends Error {
  override readonly name = 'NoRoutesError';
  readonly remedy =
    'Set SIGNALBOX_NOTIFICATIONS, or --notifications, to a file of routes (docs/notifications.md).';
}

async function work(tools: Tools, { waiting, started }: Progress): Promise<void> {
  const { settings, log, stop } = tools;
  const temporal = await connectWithRetries(settings.temporal, { log, stop, waiting });
  if (!temporal) return;
  const installation = await ownInstallation(temporal);
  const connection = await NativeConnection.connect(connectionOptions(settings.temporal));
  try {
    const worker = await createWorker(tools, { temporal, connection, installation });
    started(worker);
    void keepNotifierRunning(temporal, installation, tools);
    const { taskQueue } = settings;
    log.info({ routes: Object.keys(tools.kept.routes?.routes ?? {}).length, taskQueue }, 'notifier started');
    const running = worker.run();
    // Only one that runs can be shut down, and the connection be closed after it.
    if (stop.aborted) worker.shutdown();
    await running;
  } finally {
    await Promise.all([connection.close(), temporal.connection.close()]);
  }
}

interface Connected {
  readonly temporal: Client;
  readonly connection: NativeConnection;
  readonly installation: string;
}

function createWorker(tools: Tools, { temporal, connection, installation }: Connected): Promise<Worker> {
  const { settings, log, kept, dataConverter, workflowBundle, stop: stopping } = tools;
  const { taskQueue, cluster, workerIdentity } = settings;
  const host: NotifierHost = {
    ...{ temporal, installation, taskQueue, kept, log },
    namespaces: cluster.namespaces,
    consoleUrl: settings.console?.url,
  };
  const [memory, turns] = [
    new NewsMemory(temporal, goodputReader(temporal, { dataConverter, workflowBundle, log })),
    new Turns(),
  ];
  const activities: NotifierActivities = {
    lookForNews: (last) => lookForNews(host, { memory, stopping }, last),
    deliver: (request) => deliver(host, turns, request),
  };
  return Worker.create({
    ...{ connection, workflowBundle, activities, dataConverter },
    namespace: settings.temporal.namespace,
    taskQueue: notifierQueueOf(taskQueue),
    identity: workerIdentity,
    sinks: IGNORED_SINKS,
    maxConcurrentActivityTaskExecutions: DELIVERIES_AT_ONCE,
    maxCachedWorkflows: 200,
    maxHeartbeatThrottleInterval: NOTIFIER_HEARTBEAT.everyMs,
    shutdownGraceTime: '5s',
  });
}

/** Starts the workflow that looks, if it does not run, and again whenever it does not. */
async function keepNotifierRunning(
  temporal: Client,
  installation: string,
  { settings, log, stop }: Tools,
): Promise<void> {
  while (!stop.aborted) {
    try {
      await temporal.workflow.start(NOTIFIER, {
        taskQueue: notifierQueueOf(settings.taskQueue),
        workflowId: notifierIdOf(installation),
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'Looks for what people want to be told',
      });
      await pause(LOOK_MS, stop);
    } catch (error) {
      if (!stop.aborted)
        log.warn({ err: error }, 'the notifier’s workflow could not be started; trying again');
      await pause(RETRY_MS, stop);
    }
  }
}

const stateOf = (worker: Worker): string | undefined =>
  worker.getState() === 'RUNNING' ? undefined : `notifier is ${worker.getState()}`;
