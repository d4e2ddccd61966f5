import { describe, expect, it } from '@jest/globals';
import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { isAboutMissingRun, isAboutNoRun } from '../../temporal/missing-run.ts';

const answer = (code: number, details = '') =>
  new ServiceError('failed', {
    cause: Object.assign(new Error('failed'), { code, details, metadata: {} }),
  });

describe('Temporal knows no such run', () => {
  it.each([
    ['says the SDK', new WorkflowNotFoundError('not found', 'a', undefined), [true, true]],
    ['says the server', answer(5), [true, true]],
    ['as its name is no id, says the server', answer(3), [false, true]],
    [
      'is not said of a namespace that is not there',
      answer(5, 'Namespace mll is not found.'),
      [false, false],
    ],
    ['is not said by a server that is away', answer(14), [false, false]],
  ])('%s', (_, error, expected) => {
    expect([isAboutMissingRun(error), isAboutNoRun(error)]).toEqual(expected);
  });
});
