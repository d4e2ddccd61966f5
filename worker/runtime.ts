import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { freePort } from './free-port.ts';
import { temporalLogger } from './temporal-logger.ts';

let metrics: (() => Promise<string>) | undefined;

/**
 * Sets up the SDK's core, once per process and before any other use of the SDK. The core serves its metrics on a
 * loopback port. Returns a function that reads them, so that the process can show them beside its own.
 */
export async function installRuntime(log: Logger): Promise<() => Promise<string>> {
  if (metrics) return metrics;
  const bindAddress = `127.0.0.1:${await freePort()}`;
  Runtime.install({
    logger: temporalLogger(log),
    shutdownSignals: [],
    telemetryOptions: {
      // Otherwise the core prints its own coloured lines between those of the log.
      logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} },
      metrics: { prometheus: { bindAddress } },
    },
  });
  metrics = async () => (await fetch(`http://${bindAddress}/metrics`)).text();
  return metrics;
}
