import { expect, it } from '@jest/globals';
import { storeFault } from '../../../record/archive/store-fault.ts';

const coded = (code: string) => Object.assign(new Error('a fault'), { code });
const named = (name: string) => Object.assign(new Error('a fault'), { name });
const answered = (httpStatusCode: number) =>
  Object.assign(new Error('a fault'), { $metadata: { httpStatusCode } });

it.each([
  [coded('ECONNREFUSED'), 'cannot be reached'],
  [coded('ESTALE'), 'cannot be reached'],
  [named('TimeoutError'), 'cannot be reached'],
  [answered(503), 'cannot be reached'],
  [named('InvalidAccessKeyId'), 'refuses these credentials'],
  [named('SignatureDoesNotMatch'), 'refuses these credentials'],
  [named('CredentialsProviderError'), 'refuses these credentials'],
  [named('AccessDenied'), 'does not allow this account to do that'],
  [answered(403), 'does not allow this account to do that'],
  [coded('EACCES'), 'does not allow this account to do that'],
  [coded('EROFS'), 'is read-only'],
  [coded('ENOSPC'), 'is full'],
  [coded('EDQUOT'), 'is full'],
  [answered(507), 'is full'],
  [new Error('examined', { cause: coded('EROFS') }), 'is read-only'],
  [new Error('there is no bucket jobs'), 'cannot be used'],
  ['a word', 'cannot be used'],
])('%s %s', (error, fault) => {
  expect(storeFault(error)).toBe(fault);
});
