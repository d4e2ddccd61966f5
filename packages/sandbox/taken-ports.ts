import { SandboxError } from './errors.ts';
import type { ProgressReport } from './report.ts';

const TRIES = 3;

/**
 * Starts again, with other ports, when another process took a port after it was chosen. Which ports are free can change
 * until a server listens, and ports that the user asked for are checked before (ports.ts).
 */
export async function retryOnTakenPort<T>(start: () => Promise<T>, report: ProgressReport): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await start();
    } catch (error) {
      if (tried === TRIES || !isPortTaken(error)) throw error;
      report.note('another process took a port meanwhile: trying other ports');
    }
  }
}

/** The message has the last lines that the server logged. */
const isPortTaken = (error: unknown) =>
  error instanceof SandboxError && /address already in use/i.test(error.message);
