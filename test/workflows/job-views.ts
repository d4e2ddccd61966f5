import type { Phase } from '../../contracts/types.ts';
import { jobMachine } from '../../machines/chart/job-machine.ts';
import { type Position, positionOf } from '../../machines/chart/position.ts';
import type { JobContext } from '../../machines/model/job-context.ts';
import { accepts } from '../../machines/step.ts';
import type { JobView } from '../../workflows/interventions.ts';
import { aPlan, type PlanBuilder } from '../machines/builders.ts';
import { aStatus } from './some-status.ts';

interface ViewOptions {
  readonly plan?: PlanBuilder;
  readonly context?: Partial<JobContext>;
}

/** An admitted job in this state; by default it has two workers, and is stopped if it is finishing. */
export function aJobIn(state: Position['state'], options: ViewOptions = {}): JobView {
  const { plan = aPlan().workers(2), context = {} } = options;
  const [first, second] = state.split('.') as [string, string?];
  const outcome = first === 'Finishing' ? ({ phase: 'Stopped' } as const) : undefined;
  const snapshot = jobMachine.resolveState({
    value: (second ? { [first]: second } : first) as never,
    context: { ...plan.context(), outcome, ...context },
  });
  const phase = snapshot.context.outcome?.phase ?? (first as Phase);
  const record = { conditions: [], entered: { at: 0, why: '' }, timeline: [] };
  const job = { snapshot, record, cause: undefined, deadlines: {} };
  return {
    status: aStatus(phase, { state }),
    position: positionOf(snapshot),
    accepts: (event) => accepts(job, event),
  };
}

/** A job that is not admitted yet. */
export const aJobBeforeAdmission = (): JobView => ({
  status: aStatus('Pending', { state: 'Pending.Admitting' }),
});
