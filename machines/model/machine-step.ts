import type { Effect } from './effects.ts';
import type { JobInput } from './job-context.ts';
import type { JobEvent } from './job-events.ts';

/** One step of a job's machine, as a replayed history shows it. */
export type MachineStep = StepCause & StepResult;

/** The machine starts, continues in a new run of the workflow, or takes an event. */
export type StepCause =
  | { readonly type: 'begin'; readonly input: JobInput }
  /** `saved`: what the earlier run passed on, see `restore` in machines/step.ts. */
  | { readonly type: 'resume'; readonly saved: Readonly<Record<'value' | 'context' | 'record', unknown>> }
  | { readonly type: 'event'; readonly event: JobEvent; readonly from: string };

interface StepResult {
  /** From 1 in each run of the workflow, without gaps. */
  readonly number: number;
  /** The state that it leads to, e.g. `Pending.Scheduling`, and the attempt. */
  readonly to: string;
  readonly attempt: number;
  readonly effects: readonly Effect[];
}
