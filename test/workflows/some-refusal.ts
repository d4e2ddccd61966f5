import { ApplicationFailure } from '@temporalio/common';
import { type PassingRefusal, REFUSED_FOR_NOW } from '../../contracts/refusals.ts';

/** The failure of an activity that the API server refuses for now; by default for a quota. */
export function refusal(fields: Partial<PassingRefusal> = {}): ApplicationFailure {
  const refused: PassingRefusal = {
    reason: 'QuotaExceeded',
    message: 'exceeded quota',
    isLimited: true,
    ...fields,
  };
  return ApplicationFailure.nonRetryable(refused.message, REFUSED_FOR_NOW, refused);
}
