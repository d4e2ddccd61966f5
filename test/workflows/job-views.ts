import type { Phase } from '../../contracts/status.ts';
import type { Position } from '../../machines/chart/position.ts';
import type { JobContext } from '../../machines/model/job-context.ts';
import type { JobView } from '../../workflows/interventions.ts';
import { aPlan, type PlanBuilder } from '../machines/builders.ts';
import { aStatus } from './some-status.ts';

interface ViewOptions {
  readonly phase?: Phase;
  readonly tags?: readonly string[];
  readonly plan?: PlanBuilder;
  readonly context?: Partial<JobContext>;
}

/** An admitted job in this state; by default it has two workers. */
export function aJobIn(state: Position['state'], options: ViewOptions = {}): JobView {
  const { tags = [], plan = aPlan().workers(2), context = {} } = options;
  const { phase = state.split('.')[0] as Phase } = options;
  return {
    status: aStatus(phase, { state }),
    position: {
      state,
      tags: new Set(tags) as ReadonlySet<string> as Position['tags'],
      context: { ...plan.context(), ...context },
    },
  };
}

/** A job that is not admitted yet. */
export const aJobBeforeAdmission = (): JobView => ({
  status: aStatus('Pending', { state: 'Pending.Admitting' }),
});
