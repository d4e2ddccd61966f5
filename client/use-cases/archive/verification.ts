import type { StoreFinding } from '../../../record/verify/verification.ts';

/**
 * By what an archive is verified.
 *
 * @public
 */
export interface VerifyOptions {
  /** Verifier keys as `signalbox audit key` prints them, `name+id+base64`, with white space between them. */
  readonly publicKey: string;
}

/**
 * By what a whole archive is verified.
 *
 * @public
 */
export interface VerifyStoreOptions extends VerifyOptions {
  /** The checkpoint of an earlier verification. A log that does not continue it was replaced or rolled back. */
  readonly checkpoint?: string;
}

/**
 * What the verification of one job’s archive found.
 *
 * @public
 */
export interface JobVerification {
  /** Everything is as it was written. */
  readonly isIntact: boolean;
  /** How many files were read. */
  readonly files: number;
  readonly findings: readonly StoreFinding[];
}

/**
 * What the verification of an archive found.
 *
 * @public
 */
export interface StoreVerification extends JobVerification {
  /** How many jobs are in the log. */
  readonly archives: number;
  /** The newest checkpoint of the log, to be kept elsewhere: a later verification compares the log with it. */
  readonly checkpoint?: string;
}
