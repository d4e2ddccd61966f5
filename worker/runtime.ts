import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { JOB_BUCKETS } from '../contracts/job-metrics.ts';
import { onFreePort } from './free-port.ts';
import { temporalLogger } from './temporal-logger.ts';

let metrics: (() => Promise<string>) | undefined;

/**
 * Sets up the SDK's core, once per process and before any other use of the SDK. The core serves its metrics on a
 * loopback port. Returns a function that reads them, so that the process can show them beside its own.
 */
export async function installRuntime(log: Logger): Promise<() => Promise<string>> {
  if (metrics) return metrics;
  const bindAddress = await onFreePort((port) => install(log, `127.0.0.1:${port}`));
  metrics = async () => (await fetch(`http://${bindAddress}/metrics`)).text();
  return metrics;
}

/** Returns the address of the metrics. Throws if it is in use; can be called again then. */
function install(log: Logger, bindAddress: string): string {
  Runtime.install({
    logger: temporalLogger(log),
    shutdownSignals: [],
    telemetryOptions: {
      // Otherwise the core prints its own coloured lines between those of the log.
      logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} },
      metrics: { prometheus: { bindAddress, histogramBucketOverrides: JOB_BUCKETS } },
    },
  });
  return bindAddress;
}
