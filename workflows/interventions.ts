import { RESUME_UPDATE, STOP_UPDATE, SUSPEND_UPDATE } from '../contracts/messages.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import type { Phase } from '../contracts/status.ts';

/** Something that a person can ask of a job that has not ended. */
export interface AskedFor {
  /** Name of the Temporal update. */
  readonly update: string;
  readonly event: 'stop' | 'suspend' | 'resume';
  readonly reason: ReasonCode;
  /** As the history says it. */
  readonly done: string;
  /** As Temporal shows it. */
  readonly description: string;
  /** Why a job in this phase cannot do it. */
  readonly refusal?: (phase: Phase) => string | undefined;
}

export const INTERVENTIONS: readonly AskedFor[] = [
  {
    update: STOP_UPDATE,
    event: 'stop',
    reason: 'StopRequested',
    done: 'stopped',
    description: 'Stop the job and remove its pods, services and group. Argument: {by, why}, both optional.',
  },
  {
    update: SUSPEND_UPDATE,
    event: 'suspend',
    reason: 'Suspended',
    done: 'suspended',
    description:
      'Remove the job’s pods, services and group until it is resumed. Argument: {by, why}, both optional.',
    refusal: (phase) => (phase === 'Suspended' ? 'the job is suspended already' : undefined),
  },
  {
    update: RESUME_UPDATE,
    event: 'resume',
    reason: 'Suspended',
    done: 'resumed',
    description: 'Start the pods of a suspended job again. Argument: {by, why}, both optional.',
    refusal: (phase) => (phase === 'Suspended' ? undefined : `the job is not suspended: ${phase}`),
  },
];
