import type { EffectOutcome } from '../../machines/model/job-events.ts';

export interface EffectResult extends EffectOutcome {
  /** When the clean-up wrote the record that it was given, in epoch milliseconds. */
  readonly recordedAt?: number;
}
