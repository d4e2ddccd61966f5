import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** The SDK's log lines in the process's log; what it calls info is of interest only when debugging. */
export function temporalLogger(log: Logger): TemporalLogger {
  return new DefaultLogger('DEBUG', ({ level, message, meta }) => {
    log[LEVELS[level]]({ ...meta, source: 'temporal' }, message);
  });
}
