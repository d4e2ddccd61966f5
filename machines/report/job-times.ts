import type { RestartScope } from '../../contracts/policy.ts';
import { isFinal } from '../../contracts/status.ts';
import { type Position, phaseOfState } from '../chart/position.ts';

/** Since when a job does what metrics time, in epoch milliseconds. Plain JSON: a run of the workflow passes it on. */
export interface JobTimes {
  readonly hasRun?: true;
  /** All its pods have had a node since then. */
  readonly startingSince?: number;
  readonly restartingSince?: number;
  /** What restarts. */
  readonly scope?: RestartScope;
}

/** What ends when a job runs. */
export interface Spans {
  /** It runs for the first time. */
  readonly isFirst: boolean;
  readonly startMs?: number;
  readonly recoveryMs?: number;
  readonly scope?: RestartScope;
}

/** Returns the times after a step; and what has ended, if the job runs from now on. */
export function timesAfter(
  times: JobTimes,
  before: Position,
  after: Position,
): { readonly times: JobTimes; readonly spans?: Spans } {
  const phase = phaseOfState(after);
  const { at, restarting } = after.context;
  const scope = restarting?.scope ?? times.scope;
  if (phase === phaseOfState(before)) return { times: times.restartingSince ? { ...times, scope } : times };
  const { hasRun, startingSince, restartingSince } = times;
  if (phase === 'Starting') return { times: { ...times, startingSince: startingSince ?? at } };
  if (phase === 'Restarting')
    return { times: { hasRun, restartingSince: restartingSince ?? at, scope: restarting?.scope } };
  if (phase === 'Suspended' || isFinal(phase)) return { times: { hasRun } };
  if (phase !== 'Running') return { times };
  const spans = {
    isFirst: !hasRun,
    ...(startingSince === undefined ? {} : { startMs: at - startingSince }),
    ...(restartingSince === undefined ? {} : { recoveryMs: at - restartingSince, scope }),
  };
  return { times: { hasRun: true }, spans };
}
