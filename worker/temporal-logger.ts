import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Writes the SDK's log lines to the process's log. The SDK's info level only matters for debugging. */
export function temporalLogger(log: Logger): TemporalLogger {
  return new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    log[LEVELS[level]]({ ...meta, source: 'temporal' }, message);
  });
}
