import type { Client } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from '../activities/activities.ts';
import { createArchiverActivities } from '../activities/archive/archiver-activities.ts';
import type { Dependencies } from '../activities/support/dependencies.ts';
import { fenceBy } from '../activities/support/fence.ts';
import { JobCache } from '../activities/support/job-cache.ts';
import { Semaphore } from '../activities/support/semaphore.ts';
import { ClusterClient } from '../cluster/client.ts';
import { findClusterId } from '../cluster/cluster-id.ts';
import type { Fence } from '../cluster/transport.ts';
import { namespaceOfNameless } from '../contracts/served-namespaces.ts';
import type { DeploymentSettings, Running, WorkerSettings } from '../contracts/settings.ts';
import { HEARTBEAT } from '../contracts/timing.ts';
import { versionInIdentity } from '../contracts/worker-identity.ts';
import { openEvidenceStore } from '../evidence/open-store.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import { createRpcActivities } from '../rpc/rpc-activities.ts';
import { createSweepActivities } from '../rpc/sweep-activities.ts';
import { connectionOptions, loadDataConverter } from '../temporal/connection.ts';
import { ownInstallation } from '../temporal/installation.ts';
import { connectWithRetries } from '../temporal/patient-connection.ts';
import { countUses, observeArchiver } from './archiver-metrics.ts';
import { keepArchiverRunning, openWorkerArchive, type WorkerArchive } from './archiving.ts';
import { findBundle } from './bundle.ts';
import { cacheSizeFor } from './cache-size.ts';
import { cachedOnce } from './cached-once.ts';
import { lanesReader } from './lanes-reader.ts';
import { processCount } from './process-count.ts';
import { QuotaReturns } from './quota-returns.ts';
import { IGNORED_SINKS } from './replay/ignored-sinks.ts';
import { type KeptReplayer, keepReplayer } from './replay/kept-replayer.ts';
import { installRuntime } from './runtime.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { StatusDisplay } from './status-display.ts';
import { temporalLogger } from './temporal-logger.ts';
import { watchArchiver } from './watch-archiver.ts';

/** Workflow tasks of a dead worker wait this long before another worker takes them. */
const STICKY_TIMEOUT = '3s';
/** At least this share of the connections is reserved for single requests. */
const RESERVED_SHARE = 1 / 8;

/**
 * Starts a worker, which runs workflows and activities. Throws if the settings cannot work (an unreadable kubeconfig or
 * certificate). Waits for a Temporal server that does not answer; `unready()` reports that. `observed`: other workflows,
 * and who listens to them.
 */
export async function startWorker(
  settings: WorkerSettings,
  log: Logger,
  observed: Pick<WorkerOptions, 'workflowBundle' | 'sinks'> = {},
): Promise<Running> {
  const metrics = await installRuntime(log);
  connectionOptions(settings.temporal);
  const dataConverter = await loadDataConverter(settings.temporal);
  // No write is sent before there is a Temporal client to ask.
  const fence = Promise.withResolvers<Fence>();
  const [cluster, workflowBundle] = await Promise.all([
    ClusterClient.connect({ ...settings.cluster, fence: async () => (await fence.promise)() }),
    observed.workflowBundle ?? findBundle(dataConverter, temporalLogger(log)),
  ]);
  const evidenceStore = openEvidenceStore(settings.jobs.evidence);
  const archive = await openWorkerArchive(settings.archive);
  // Not awaited: a store that does not answer must not keep the worker from its jobs.
  void examineStore(evidenceStore, log);
  const stop = new AbortController();
  const clusterId = cachedOnce(async () => settings.cluster.id ?? findClusterId(cluster));
  const display = new StatusDisplay({ cluster, clusterId });
  const quota = new QuotaReturns({ cluster, clusterId });
  const sinks = { ...IGNORED_SINKS, ...display.sinks, ...quota.sinks, ...observed.sinks };
  const { signal: stopping } = stop;
  const replayer = keepReplayer({ workflowBundle, dataConverter, entriesOnly: true });
  const host: Host = {
    ...{ settings, log, cluster, clusterId, evidenceStore, archive, workflowBundle, sinks, dataConverter },
    stopping,
    replayer,
  };
  let unready: string | undefined = 'starting';
  let worker: Worker | undefined;

  async function work(): Promise<void> {
    const temporal = await connectWithRetries(settings.temporal, {
      log,
      stop: stop.signal,
      waiting: (why) => {
        unready = why;
      },
    });
    if (!temporal) return;
    unready = 'starting';
    fence.resolve(fenceBy(temporal));
    const installation = await ownInstallation(temporal);
    await prepareNamespace(temporal, log);
    const connection = await NativeConnection.connect(connectionOptions(settings.temporal));
    try {
      worker = await createWorker(host, { temporal, connection, installation });
      const { taskQueue, deployment } = settings;
      if (archive) {
        const running = { log, stop: stop.signal };
        void keepArchiverRunning(temporal, { installation, taskQueue }, running);
        void watchArchiver(temporal, installation, running);
      }
      const { maxCachedWorkflows } = worker.options;
      log.info(
        { taskQueue, temporal: settings.temporal.address, deployment, maxCachedWorkflows },
        'worker started',
      );
      const running = worker.run();
      // Only a worker that runs can be shut down, and the connection be closed after it.
      if (stop.signal.aborted) worker.shutdown();
      await running;
    } finally {
      await replayer.close();
      await Promise.all([connection.close(), temporal.connection.close()]);
    }
  }

  const working = work();
  working.catch(() => undefined); // callers may await `failed`
  return {
    failed: working.then(() => new Promise<never>(() => undefined)),
    metrics,
    unready: () => {
      if (!worker) return unready;
      return worker.getState() === 'RUNNING' ? undefined : `worker is ${worker.getState()}`;
    },
    stop: async () => {
      stop.abort();
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      try {
        await working;
      } finally {
        await Promise.all([display.close(), quota.close()]);
        evidenceStore.close();
        archive?.store.close();
        await cluster.close();
      }
    },
  };
}

interface Host {
  readonly settings: WorkerSettings;
  readonly log: Logger;
  readonly cluster: ClusterClient;
  readonly clusterId: Dependencies['clusterId'];
  readonly evidenceStore: EvidenceStore;
  readonly archive: WorkerArchive | undefined;
  readonly stopping: AbortSignal;
  readonly workflowBundle: Awaited<ReturnType<typeof findBundle>>;
  readonly sinks: WorkerOptions['sinks'];
  readonly dataConverter: Awaited<ReturnType<typeof loadDataConverter>>;
  readonly replayer: KeptReplayer;
}

interface Connected {
  readonly temporal: Client;
  readonly connection: NativeConnection;
  readonly installation: string;
}

async function createWorker(host: Host, connected: Connected): Promise<Worker> {
  const { settings, workflowBundle, sinks, dataConverter } = host;
  return Worker.create({
    connection: connected.connection,
    namespace: settings.temporal.namespace,
    identity: settings.workerIdentity,
    taskQueue: settings.taskQueue,
    workflowBundle,
    activities: activitiesOf(host, connected),
    maxCachedWorkflows: cachedWorkflowsOf(settings),
    // Usually high enough that short activities do not wait behind the creates of a hundred jobs, and that those of a
    // killed worker are retried quickly: a queued activity has no heartbeat. The semaphore limits the load.
    maxConcurrentActivityTaskExecutions: settings.activities,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: HEARTBEAT.throttleMs,
    shutdownGraceTime: '5s',
    dataConverter,
    sinks,
    ...versioningOf(settings.deployment),
  });
}

const cachedWorkflowsOf = ({ cachedWorkflows, processes }: WorkerSettings) =>
  cachedWorkflows === 'auto' ? cacheSizeFor(processCount(processes)) : cachedWorkflows;

function activitiesOf(host: Host, { temporal, installation }: Connected) {
  const { settings, cluster, clusterId, evidenceStore, archive, log } = host;
  const { connections, namespaces } = settings.cluster;
  const shared = { cluster, temporal, clusterId, evidenceStore };
  const jobs = createActivities({
    ...settings.jobs,
    ...shared,
    namespace: namespaceOfNameless(settings.namespace, namespaces),
    namespaces,
    installation,
    connections,
    bulk: gateFor(connections),
    lanes: settings.lanes && lanesReader(cluster, settings.lanes),
    lanesReference: settings.lanes,
    jobs: new JobCache(),
  });
  const archiver = createArchiverActivities(
    archive && {
      ...shared,
      ...archive,
      ledgersOf: host.replayer.replayJobs,
      log,
      stopping: host.stopping,
      ...{ observe: observeArchiver, countUses },
      version: versionInIdentity(settings.workerIdentity ?? '') ?? 'unknown',
    },
  );
  const servers = { settings, temporal, cluster, evidenceStore, archiveStore: archive?.store };
  return { ...jobs, ...archiver, ...createRpcActivities(servers), ...createSweepActivities(servers) };
}

/** Without a deployment the worker is unversioned, as Temporal calls it. */
const versioningOf = (
  deployment: DeploymentSettings | undefined,
): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  deployment
    ? {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName: deployment.name, buildId: deployment.buildId },
          defaultVersioningBehavior: deployment.upgrade === 'pinned' ? 'PINNED' : 'AUTO_UPGRADE',
        },
      }
    : {};

const gateFor = (connections: number) =>
  new Semaphore(Math.max(1, connections - Math.ceil(connections * RESERVED_SHARE)));

/** Warns if the store does not work: jobs run without it, and a missing record is only noticed when it is needed. */
async function examineStore(store: EvidenceStore, log: Logger): Promise<void> {
  try {
    await store.examine();
  } catch (error) {
    log.warn(
      { err: error, location: store.location },
      'evidence of failures cannot be stored; jobs continue without it',
    );
  }
}

/** Without permission, an administrator has to register them; until then each job reports what is missing. */
async function prepareNamespace(temporal: Client, log: Logger): Promise<void> {
  try {
    const added = await registerSearchAttributes(temporal);
    if (added.length > 0) log.info({ added }, 'search attributes registered');
  } catch (error) {
    log.warn({ err: error }, 'search attributes could not be read or registered');
  }
}
