import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, type Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';
import { TRAINING_JOB } from '../contracts/messages.ts';
import { REASONS, type ReasonCode } from '../contracts/reasons.ts';
import { type PassingRefusal, REFUSED_FOR_NOW } from '../contracts/refusals.ts';
import { errorMessage } from '../language/error-message.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Writes the SDK's log lines to the process's log. The SDK's info level only matters for debugging. */
export function temporalLogger(log: Logger): TemporalLogger {
  return new DefaultLogger('DEBUG', ({ level, message, meta = {} }) => {
    // Without the token, which is longer than the rest and of no use.
    const { taskToken: _, error, ...more } = meta;
    const isJob = message === 'Workflow failed' && meta.workflowType === TRAINING_JOB;
    const expected = isJob ? failedJob(errorMessage(error)) : refusedForNow(error);
    const failed = expected ? { error: expected.text } : error === undefined ? {} : { err: error };
    log[expected?.level ?? LEVELS[level]]({ ...more, ...failed, source: 'temporal' }, message);
  });
}

/** What is no fault of the installation: a job that failed, and what it waits for. */
interface ExpectedFailure {
  readonly level: 'debug' | 'info';
  readonly text: string;
}

/** The failure of a job begins with its reason; its type does not come out of the workflow's sandbox. */
function failedJob(text: string): ExpectedFailure | undefined {
  const reason = text.split(':')[0]! as ReasonCode;
  return REASONS[reason]?.class === 'engine' ? undefined : { level: 'info', text };
}

/** A job waits for these for days, with a retry each minute, and says so itself. */
const OF_USERS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'DependencyMissing',
  'LaneFaulty',
  'NamespaceMissing',
  'NamespaceTerminating',
  'PodsTerminating',
  'QuotaExceeded',
]);

function refusedForNow(error: unknown): ExpectedFailure | undefined {
  if (!(error instanceof ApplicationFailure) || error.type !== REFUSED_FOR_NOW) return undefined;
  const [refusal] = (error.details ?? []) as readonly PassingRefusal[];
  if (!refusal) return undefined;
  const { reason, message } = refusal;
  return OF_USERS.has(reason) ? { level: 'debug', text: `${reason}: ${message}` } : undefined;
}
