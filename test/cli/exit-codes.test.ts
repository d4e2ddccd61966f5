import { afterEach, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../cli/shell/errors.ts';
import { exitOfError, exitWith, exitWithOutcomes } from '../../cli/shell/exit-codes.ts';
import {
  ArchiveDamagedError,
  ArchiveVersionError,
  JobNotFoundError,
  LanesError,
} from '../../client/errors/errors.ts';
import { ClusterConfigError, ConnectionError } from '../../cluster/errors.ts';
import { DamagedArchiveError, ForeignArchiveError } from '../../record/archive/archive-errors.ts';
import { LogDamagedError } from '../../record/log/errors.ts';

describe('the class of an error decides the exit code', () => {
  test.each([
    ['usage', new UsageError('what?')],
    ['usage', new ClusterConfigError('no kubeconfig')],
    ['usage', new ArchiveVersionError('a newer form')],
    ['usage', new LanesError('no lanes')],
    ['serverAway', new ConnectionError('GET /api', new Error('no route'))],
    ['notFound', new JobNotFoundError('job/ml/train')],
    ['tampered', new DamagedArchiveError('jobs/a', 'was cut')],
    ['tampered', new ArchiveDamagedError('jobs/a was cut')],
    ['tampered', new ForeignArchiveError('jobs/a')],
    ['tampered', new LogDamagedError('log/checkpoint', 'a checkpoint', 'nothing')],
    ['unexpected', Object.assign(new Error('no such file'), { code: 'ENOENT' })],
  ] as const)('%s: %s', (exit, error) => {
    expect(exitOfError(error)).toBe(exit);
  });

  test('ignores the name of an error', () => {
    expect(exitOfError(Object.assign(new Error(), { name: 'NameTakenError' }))).toBe('unexpected');
  });
});

describe('the exit code of a command', () => {
  const before = process.exitCode;
  afterEach(() => {
    process.exitCode = before;
  });

  test('is that of its first failure, also if jobs end otherwise later', () => {
    exitWith('ok', 'nameTaken', 'usage');
    exitWithOutcomes([{ phase: 'Completed' }, { phase: 'Failed' }]);
    expect(process.exitCode).toBe(5);
  });

  test('is that of the first job that did not complete', () => {
    exitWithOutcomes([{ phase: 'Completed' }, { phase: 'Stopped' }, { phase: 'Failed' }]);
    expect(process.exitCode).toBe(11);
  });
});
