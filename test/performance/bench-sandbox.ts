import type { TemporalOptions } from './options.ts';
import { startTemporalOnPostgres } from './temporal-on-postgres.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';

/** Works in a sandbox of its own, with the Temporal server that was asked for. */
export function inBenchSandbox<T>(
  { temporal, ...serverOptions }: TemporalOptions,
  pods: number,
  work: (sandbox: ThrowawaySandbox) => Promise<T>,
): Promise<T> {
  if (temporal === 'development') return inThrowawaySandbox(pods, work);
  return inThrowawaySandbox(pods, async (sandbox) => {
    const server = await startTemporalOnPostgres(serverOptions);
    try {
      // The sandbox's own server stays up and does nothing.
      const pids = { ...sandbox.pids, ...server.pids };
      return await work({ ...sandbox, temporalAddress: server.address, pids });
    } finally {
      await server.stop();
    }
  });
}
