import { statusOfS3 } from '../../evidence/s3-connection.ts';
import { errorCode } from '../../language/error-code.ts';

/** What is wrong with an archive's store, in words that follow its place: `s3://jobs cannot be reached`. */
type StoreFault =
  | 'cannot be reached'
  | 'refuses these credentials'
  | 'does not allow this account to do that'
  | 'is read-only'
  | 'is full'
  | 'cannot be used';

/** Codes of the operating system, and names that S3 servers and the SDK give to their errors. */
const FAULTS: Readonly<Record<string, StoreFault>> = {
  ENOSPC: 'is full',
  EDQUOT: 'is full',
  XMinioStorageFull: 'is full',
  QuotaExceeded: 'is full',
  EROFS: 'is read-only',
  EACCES: 'does not allow this account to do that',
  EPERM: 'does not allow this account to do that',
  AccessDenied: 'does not allow this account to do that',
  AllAccessDisabled: 'does not allow this account to do that',
  InvalidAccessKeyId: 'refuses these credentials',
  SignatureDoesNotMatch: 'refuses these credentials',
  AuthorizationHeaderMalformed: 'refuses these credentials',
  RequestTimeTooSkewed: 'refuses these credentials',
  ExpiredToken: 'refuses these credentials',
  ExpiredTokenException: 'refuses these credentials',
  InvalidToken: 'refuses these credentials',
  TokenRefreshRequired: 'refuses these credentials',
  CredentialsProviderError: 'refuses these credentials',
  TimeoutError: 'cannot be reached',
  ECONNREFUSED: 'cannot be reached',
  ECONNRESET: 'cannot be reached',
  EAI_AGAIN: 'cannot be reached',
  ENOTFOUND: 'cannot be reached',
  EHOSTDOWN: 'cannot be reached',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ENOTCONN: 'cannot be reached',
  EPIPE: 'cannot be reached',
  ESTALE: 'cannot be reached',
  ETIMEDOUT: 'cannot be reached',
};

/** An answer without a body has no name of its own, e.g. that to `HEAD`. */
const STATUSES: Readonly<Record<number, StoreFault>> = {
  401: 'refuses these credentials',
  403: 'does not allow this account to do that',
  502: 'cannot be reached',
  503: 'cannot be reached',
  504: 'cannot be reached',
  507: 'is full',
};

/** Returns what is wrong from the error of a store, or from its cause. */
export function storeFault(error: unknown): StoreFault {
  if (!(error instanceof Error)) return 'cannot be used';
  const known = FAULTS[error.name] ?? FAULTS[errorCode(error) ?? ''] ?? STATUSES[statusOfS3(error) ?? 0];
  return known ?? (error.cause === undefined ? 'cannot be used' : storeFault(error.cause));
}
