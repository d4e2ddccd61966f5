import { expect, it } from '@jest/globals';
import { loggedError } from '../../../cli/processes/logged-error.ts';
import { StoreRequestError } from '../../../record/archive/watched-store.ts';

/** Errors as the log of worker, watcher and bridge has them. */

const logged = (error: unknown, debug = false) => loggedError(error, { debug });

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
const noBucket = Object.assign(new Error('there is no bucket jobs'), { code: 'NoSuchBucket' });

it('what a server or the system answers is said once, without a stack', () => {
  expect(logged(new StoreRequestError('s3://jobs', noBucket))).toEqual({
    message: 's3://jobs cannot be used: there is no bucket jobs',
    code: 'NoSuchBucket',
  });
});

it('a cause that is not in the message follows it', () => {
  expect(logged(new TypeError('fetch failed', { cause: refused }))).toEqual({
    message: 'fetch failed: connect ECONNREFUSED 127.0.0.1:1',
    code: 'ECONNREFUSED',
  });
});

it('a fault of a program has its stack, and so has every error for who debugs', () => {
  const fault = new Error('the job has no role', { cause: new TypeError('x is undefined') });
  expect(logged(fault)).toMatchObject({
    message: 'the job has no role: x is undefined',
    stack: expect.stringMatching(
      /the job has no role\n +at [\s\S]*\ncaused by TypeError: x is undefined\n +at/,
    ),
  });
  expect(logged(refused)).not.toHaveProperty('stack');
  expect(logged(refused, true)).toHaveProperty('stack');
});

it('an error that is its own cause ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(logged(error)).toMatchObject({ message: 'round' });
});
