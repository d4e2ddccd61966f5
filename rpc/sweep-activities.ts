import { Context } from '@temporalio/activity';
import { heartbeatWhile } from '../activities/support/heartbeat.ts';
import { InvalidManifestError } from '../client/errors/errors.ts';
import type { ParameterSweep, SweepActivities } from '../contracts/parameter-sweep.ts';
import { namespaceOfNameless } from '../contracts/served-namespaces.ts';
import { workflowStart } from '../temporal/workflow-start.ts';
import { asRpcFailure } from './failures.ts';
import type { RpcServers } from './rpc-servers.ts';
import { workerPorts } from './worker-ports.ts';

/** What a parameter sweep does, by the use cases of the client. The input is in the history, which need not have it twice. */
export const createSweepActivities = (servers: RpcServers): SweepActivities => ({
  /** Changes nothing, so it may run twice. */
  planParameterSweep: () =>
    running(servers, async ({ sweep, startedBy }) => {
      const { planSweep } = await import('../client/use-cases/parameter-sweep/checked-sweep.ts');
      const planned = await planSweep(sweep, { configuration: servers.settings.jobs, strict: false });
      return { ...planned, ...(startedBy === undefined ? {} : { startedBy }) };
    }),
  /** Idempotent by the keys of the trials. */
  advanceParameterSweep: (round) =>
    running(servers, async ({ sweep, runId }) => {
      const { advanceSweep } = await import('../client/use-cases/parameter-sweep/run-trials.ts');
      const ports = workerPorts(servers);
      const { submittedBy: user = ports.user } = round;
      const signal = Context.current().cancellationSignal;
      return advanceSweep({ ports: { ...ports, user }, sweep, runId, signal }, round);
    }),
});

interface Asking {
  readonly sweep: ParameterSweep;
  readonly startedBy: string | undefined;
  /** The first run of the workflow. */
  readonly runId: string;
}

/** Only faults of the input are final. */
const running = <T>(servers: RpcServers, work: (asking: Asking) => Promise<T>): Promise<T> =>
  heartbeatWhile(asked(servers, work)).catch((error: unknown) => {
    throw error instanceof InvalidManifestError ? asRpcFailure(error) : error;
  });

async function asked<T>(servers: RpcServers, work: (asking: Asking) => Promise<T>): Promise<T> {
  const { temporal, settings } = servers;
  const run = Context.current().info.workflowExecution!;
  const [{ input, identity, firstRunId }, { sweepIn }] = await Promise.all([
    workflowStart(temporal, run),
    import('../client/use-cases/parameter-sweep/checked-sweep.ts'),
  ]);
  const sweep = sweepIn(input[0], namespaceOfNameless(settings.namespace, settings.cluster.namespaces));
  return work({ sweep, startedBy: identity, runId: firstRunId });
}
