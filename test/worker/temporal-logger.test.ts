import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import { REFUSED_FOR_NOW } from '../../contracts/refusals.ts';
import { temporalLogger } from '../../worker/temporal-logger.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** What a worker logs for a line of the SDK. */
function logged(level: 'WARN' | 'ERROR', message: string, meta: Record<string, unknown>): Line {
  const lines: string[] = [];
  const formatters = { level: (label: string) => ({ level: label }) };
  const log = pino(
    { level: 'debug', formatters, base: undefined, timestamp: false },
    { write: (line) => lines.push(line) },
  );
  temporalLogger(log).log(level, message, meta);
  return JSON.parse(lines[0]!) as Line;
}

const OF_ACTIVITY = { activityType: 'admit', workflowId: 'job/ml/train', taskToken: 'x'.repeat(200) };
const refused = (reason: string) =>
  ApplicationFailure.create({
    ...{ type: REFUSED_FOR_NOW, nonRetryable: true, message: 'namespaces "ml" not found' },
    details: [{ reason, message: 'namespaces "ml" not found', isLimited: true }],
  });

describe('a log record of the SDK', () => {
  it('about a job that waits has the level debug, because the job shows its cause itself', () => {
    const line = logged('WARN', 'Activity failed', { ...OF_ACTIVITY, error: refused('NamespaceMissing') });
    expect(line).toEqual({
      ...{ level: 'debug', msg: 'Activity failed', source: 'temporal' },
      ...{ activityType: 'admit', workflowId: 'job/ml/train' },
      error: 'NamespaceMissing: namespaces "ml" not found',
    });
  });

  it.each(['Forbidden', 'WebhookUnavailable', 'ApiServerUnavailable'])(
    'about %s is a warning, because its operator can fix it',
    (reason) => {
      const line = logged('WARN', 'Activity failed', { ...OF_ACTIVITY, error: refused(reason) });
      expect(line).toMatchObject({ level: 'warn', err: { message: 'namespaces "ml" not found' } });
      expect(line).not.toHaveProperty('taskToken');
    },
  );

  it('about any other activity has the cause of the failure', () => {
    const line = logged('WARN', 'Activity failed', { ...OF_ACTIVITY, error: new Error('no such bucket') });
    expect(line).toMatchObject({ level: 'warn', err: { message: 'no such bucket' } });
  });

  const failed = (message: string, workflowType = 'trainingJob') =>
    logged('WARN', 'Workflow failed', { workflowType, workflowId: 'w', error: new Error(message) });

  it('about a failed job is no warning', () => {
    expect(failed('PodFailed: train-master-0: exit code 1')).toEqual({
      ...{ level: 'info', msg: 'Workflow failed', source: 'temporal' },
      ...{ workflowType: 'trainingJob', workflowId: 'w' },
      error: 'PodFailed: train-master-0: exit code 1',
    });
    expect(failed('The manifest has 2 faults')).toMatchObject({ level: 'info' });
  });

  it('about a job that failed by a bug of the engine, and about any other workflow, is a warning', () => {
    expect(failed('EngineFault: a bug')).toMatchObject({
      level: 'warn',
      err: { message: 'EngineFault: a bug' },
    });
    expect(failed('no answer', 'cleanUpOrphan')).toMatchObject({
      level: 'warn',
      err: { message: 'no answer' },
    });
  });
});
