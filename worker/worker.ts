import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from '../activities/activities.ts';
import { Gate } from '../activities/gate.ts';
import { ClusterClient } from '../cluster/client.ts';
import type { Running, WorkerSettings } from '../contracts/settings.ts';
import { openEvidenceStore } from '../evidence/open-store.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import { connectionOptions, connectTemporal, loadDataConverter } from '../temporal/connection.ts';
import { findBundle } from './bundle.ts';
import { installRuntime } from './runtime.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { temporalLogger } from './temporal-logger.ts';

/** Each cached workflow costs about 240 KB; one that was evicted is replayed when it next hears something. */
const CACHED_WORKFLOWS = 1_000;
/** An activity hears with a heartbeat that it is cancelled; the usual 8 s are long for somebody who waits for a stop. */
const HEARTBEAT_INTERVAL = '2s';
/** What was meant for a worker that has died waits this long before another one takes it. */
const STICKY_TIMEOUT = '3s';
/**
 * So many that the short ones need not wait behind the creates of a hundred jobs, and that those of a killed worker are
 * noticed and begun again quickly: what waits in line has no heartbeat. How much is done at once is the gate's.
 */
const CONCURRENT_ACTIVITIES = 200;
/** Of the connections, so many at least are left for single requests. */
const RESERVED_SHARE = 1 / 8;

/** Starts hosting workflows and activities; resolves when the worker is polling. */
export async function startWorker(settings: WorkerSettings, log: Logger): Promise<Running> {
  const metrics = await installRuntime(log);
  const dataConverter = await loadDataConverter(settings.temporal);
  const [temporal, cluster, workflowBundle] = await Promise.all([
    connectTemporal(settings.temporal),
    ClusterClient.connect(settings.cluster),
    findBundle(dataConverter, temporalLogger(log)),
  ]);
  const { connections } = settings.cluster;
  const evidenceStore = openEvidenceStore(settings.jobs.evidence);
  // Told when it is known: a store that does not answer must not keep the worker from its jobs.
  void examineStore(evidenceStore, log);
  await prepareNamespace(temporal, log);
  const connection = await NativeConnection.connect(connectionOptions(settings.temporal));
  const worker = await Worker.create({
    connection,
    namespace: settings.temporal.namespace,
    taskQueue: settings.taskQueue,
    workflowBundle,
    activities: createActivities({
      ...settings.jobs,
      namespace: settings.cluster.namespace ?? 'default',
      cluster,
      temporal,
      connections,
      bulk: gateFor(connections),
      evidenceStore,
    }),
    maxCachedWorkflows: CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: CONCURRENT_ACTIVITIES,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL,
    shutdownGraceTime: '5s',
    dataConverter,
  });
  const running = worker.run();
  log.info({ taskQueue: settings.taskQueue, temporal: settings.temporal.address }, 'worker started');
  return {
    failed: running.then(() => new Promise<never>(() => undefined)),
    metrics,
    unready: () => (worker.getState() === 'RUNNING' ? undefined : `worker is ${worker.getState()}`),
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      evidenceStore.close();
      await Promise.all([connection.close(), temporal.connection.close(), cluster.close()]);
    },
  };
}

const gateFor = (connections: number) =>
  new Gate(Math.max(1, connections - Math.ceil(connections * RESERVED_SHARE)));

/** Jobs run without it as well, and nobody misses a record before it is needed. */
async function examineStore(store: EvidenceStore, log: Logger): Promise<void> {
  try {
    await store.examine();
  } catch (error) {
    log.warn(
      { err: error, place: store.place },
      'no evidence of failures can be kept there: jobs go on without',
    );
  }
}

/** Without the right to register them somebody else must have; if nobody has, each job says what is missing. */
async function prepareNamespace(temporal: Client, log: Logger): Promise<void> {
  try {
    const added = await registerSearchAttributes(temporal);
    if (added.length > 0) log.info({ added }, 'search attributes registered');
  } catch (error) {
    log.warn({ err: error }, 'search attributes could not be looked at or registered');
  }
}
