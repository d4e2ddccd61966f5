import { describe, expect, test } from '@jest/globals';
import * as errors from '../../client/errors/errors.ts';
import { SignalboxError } from '../../client/errors/signalbox-error.ts';

/** As another build of the library has it. */
const copy = (await import(`${'../../client/errors/errors.ts'}?copy`)) as typeof errors;

const notFound = new copy.JobNotFoundError('job/ml/train');

describe('an error of another copy of the library', () => {
  test('is of another class', () => {
    expect(copy.JobNotFoundError).not.toBe(errors.JobNotFoundError);
    expect(Object.getPrototypeOf(notFound)).not.toBe(errors.JobNotFoundError.prototype);
  });

  test('is recognised by instanceof, by its own class and by the base class', () => {
    expect(notFound instanceof errors.JobNotFoundError).toBe(true);
    expect(notFound instanceof SignalboxError).toBe(true);
  });

  test('is no instance of another class', () => {
    expect(notFound instanceof errors.NameTakenError).toBe(false);
  });
});

describe('a value that is no error of the library', () => {
  test.each([[new Error('other')], [{ code: 'JobNotFound' }], [undefined], ['JobNotFound']])(
    '%p is no instance of its classes',
    (value) => {
      expect((value as unknown) instanceof SignalboxError).toBe(false);
      expect((value as unknown) instanceof errors.JobNotFoundError).toBe(false);
    },
  );
});

test('a derived class of a program matches only its own errors', () => {
  class OwnError extends errors.RefusedError {}
  expect(new OwnError('no') instanceof OwnError).toBe(true);
  expect(new OwnError('no') instanceof errors.RefusedError).toBe(true);
  expect(new errors.RefusedError('no') instanceof OwnError).toBe(false);
});

test('every class has a code of its own, which is its name', () => {
  const codes = Object.entries(errors).map(([name, { code }]) => [name, code]);
  expect(codes).toEqual(codes.map(([name]) => [name, name!.replace(/Error$/, '')]));
});

test('instanceof tells the compiler which code it is', () => {
  const error: unknown = new errors.NoLogError('none');
  if (!(error instanceof SignalboxError)) throw new Error('expected an error of the library');
  // @ts-expect-error: of the base class it is one of the codes
  const other: 'Other' = error.code;
  if (!(error instanceof errors.NoLogError)) throw new Error('expected its own class');
  const [code, name]: ['NoLog', 'NoLogError'] = [error.code, error.name];
  expect([other, code, name]).toEqual(['NoLog', 'NoLog', 'NoLogError']);
});
