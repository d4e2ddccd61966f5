import { RESTART_SCOPES, type RestartScope, type Rung } from '../../contracts/policy.ts';
import { countInPlace, type JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import type { ChosenRung, LadderPosition } from '../model/restart.ts';

/**
 * The next rung for a failure that asks for at least `least`: the present one until it is used up, then the next higher.
 * A failure that smaller rungs cannot mend restarts the gang, also where the ladder does not say so. Undefined: used up.
 */
export function nextRung(context: JobContext, least: RestartScope): ChosenRung | undefined {
  const { ladder } = jobPolicy(context).restart;
  const position = positionOn(context);
  const reaches = ({ scope }: Rung) => RESTART_SCOPES.indexOf(scope) >= RESTART_SCOPES.indexOf(least);
  const isLeft = ({ times }: Rung, index: number) =>
    times === undefined || (index === position.rung ? position.times : 0) < times;
  const index = ladder.findIndex((rung, at) => at >= position.rung && reaches(rung) && isLeft(rung, at));
  if (index >= 0) return { index, rung: ladder[index]! };
  return ladder.some(reaches) ? undefined : { index: ladder.length, rung: { scope: least } };
}

/**
 * The position after a restart on a rung, because of what failed on these nodes; a rung that the ladder does not have
 * leaves a job where it stands.
 */
export function onNextRung(context: JobContext, index: number, failedOn: readonly string[]): LadderPosition {
  const { rung, times } = positionOn(context);
  const { restart, nodes } = jobPolicy(context);
  const known = [...new Set([...failedOn, ...failedNodes(context)])].slice(0, nodes.avoidAtMost);
  const position = { at: context.at ?? 0, ...(known.length > 0 ? { nodes: known } : {}) };
  if (index >= restart.ladder.length) return { rung, times, ...position };
  return { rung: index, times: index === rung ? times + 1 : 1, ...position };
}

/** Where something failed since the ladder began, the latest first. */
export const failedNodes = (context: JobContext): readonly string[] => positionOn(context).nodes ?? [];

/** What was tried last did not help in time, however long that was: its rung is not taken again. */
export const withoutPresentRung = ({ ladder, at = 0 }: JobContext): LadderPosition => ({
  ...ladder,
  rung: (ladder?.rung ?? 0) + 1,
  times: 0,
  at,
});

/** A ladder that is another one now is climbed from its foot. */
export const onFirstRung = ({
  ladder,
  restarts,
}: JobContext): Pick<JobContext, 'ladder' | 'forgottenInPlace'> => ({
  ladder: ladder && { ...ladder, rung: 0, times: 0 },
  forgottenInPlace: countInPlace(restarts) || undefined,
});

/**
 * How often containers may be restarted in place before a larger restart follows: not any more once one has followed.
 * Unbounded it is as often as they like.
 */
export function containerRung(context: JobContext): Rung | undefined {
  const { ladder } = jobPolicy(context).restart;
  const index = ladder.findIndex(({ scope }) => scope === 'container');
  const rung = ladder[index];
  const isBounded = rung?.times !== undefined || rung?.withinMs !== undefined;
  return rung && isBounded && positionOn(context).rung > index ? { scope: rung.scope, times: 0 } : rung;
}

/** After a long time without restarts the ladder begins anew. */
function positionOn(context: JobContext): Omit<LadderPosition, 'at'> {
  const { ladder } = context;
  const { resetAfterMs } = jobPolicy(context).restart.backOff;
  return !ladder || rested(context) - ladder.at >= resetAfterMs ? { rung: 0, times: 0 } : ladder;
}

/** Until when all was well: a job that stalled, or has not started, was in trouble already while nothing happened. */
const rested = ({ trouble, progress, at = 0 }: JobContext) => (trouble ? (progress?.at ?? 0) : at);
