import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import type { RequestedFields, RunnableType } from '../../machines/model/effects.ts';
import type { EffectOutcome } from '../../machines/model/job-events.ts';

/** What the activity of an effect gets: the effect's fields, and the job that it works on. */
export type EffectRequest<T extends RunnableType> = RequestedFields<T> & {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
};

export interface EffectResult extends EffectOutcome {
  /** When the clean-up wrote the record that it was given, in epoch milliseconds. */
  readonly recordedAt?: number;
}
