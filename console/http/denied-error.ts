import { ProblemError } from './problem-error.ts';

/** Why a request is refused, whatever it asks for, and the status of the answer. */
const DENIALS = {
  NotSignedIn: 401,
  NoRight: 403,
  ForeignPage: 403,
  ForeignForm: 403,
  ForeignHost: 421,
  RightsUnknown: 503,
  TooManyStreams: 503,
} as const;

export type Denial = keyof typeof DENIALS;

export const deniedStatus = (denial: Denial): number => DENIALS[denial];

/** A request of somebody who may not make it. */
export class DeniedError extends ProblemError {
  readonly denial: Denial;

  constructor(denial: Denial, message: string, { remedy, cause }: Details = {}) {
    super(DENIALS[denial], message, remedy, cause);
    this.denial = denial;
  }
}

interface Details {
  readonly remedy?: string;
  readonly cause?: unknown;
}
