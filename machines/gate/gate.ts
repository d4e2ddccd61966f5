import type { Cause } from '../../contracts/types.ts';
import type { Effect } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';

/** What a job waits for before it has pods. It decides by the newest digest. */
export interface Gate {
  /** Whether the job need not ask again. */
  isHeld(context: JobContext): boolean;
  /** Returns the effect that asks for admission; repeated when the job has other sizes. */
  request(context: JobContext): Effect;
  isOpen(context: JobContext): boolean;
  /** Returns why it is not open, the most important cause first. */
  causes(context: JobContext): readonly Cause[];
  /** Says that it has opened. */
  explainOpen(context: JobContext): string;
}
