import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { freePort } from './free-port.ts';
import { temporalLogger } from './temporal-logger.ts';

let metrics: (() => Promise<string>) | undefined;

/**
 * Sets up the SDK's core, once per process and before anything else of it is used. It serves its metrics on a loopback
 * port of its own; what this gives reads them, so that the process can show them beside its others.
 */
export async function installRuntime(log: Logger): Promise<() => Promise<string>> {
  if (metrics) return metrics;
  const bindAddress = `127.0.0.1:${await freePort()}`;
  Runtime.install({
    logger: temporalLogger(log),
    shutdownSignals: [],
    telemetryOptions: {
      // Otherwise the core prints its own lines, with colours, between those of the log.
      logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} },
      metrics: { prometheus: { bindAddress } },
    },
  });
  metrics = async () => (await fetch(`http://${bindAddress}/metrics`)).text();
  return metrics;
}
