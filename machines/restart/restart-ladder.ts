import { RESTART_SCOPES, type RestartScope } from '../../contracts/policy.ts';
import type { Rung } from '../../contracts/types.ts';
import { countInPlace, type JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import type { ChosenRung, LadderPosition } from '../model/restart.ts';

/**
 * Returns the next rung whose scope is at least `least`: the present rung until it is used up, then the next larger
 * one. If the ladder has no such rung at all, returns `least` itself. Undefined: used up.
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
 * Returns the position after a restart on a rung, caused by failures on these nodes. A rung that the ladder does not
 * have leaves the position unchanged.
 */
export function onNextRung(context: JobContext, index: number, failedOn: readonly string[]): LadderPosition {
  const { rung, times } = positionOn(context);
  const { restart, nodes } = jobPolicy(context);
  const known = [...new Set([...failedOn, ...failedNodes(context)])].slice(0, nodes.avoidAtMost);
  const position = { at: context.at, ...(known.length > 0 ? { nodes: known } : {}) };
  if (index >= restart.ladder.length) return { rung, times, ...position };
  return { rung: index, times: index === rung ? times + 1 : 1, ...position };
}

/** Returns the nodes where something failed since the ladder began, latest first. */
export const failedNodes = (context: JobContext): readonly string[] => positionOn(context).nodes ?? [];

/** Moves past the present rung, which did not help in time. Sets `at`, so that the ladder does not reset. */
export const withoutPresentRung = ({ ladder, at }: JobContext): LadderPosition => ({
  ...ladder,
  rung: (ladder?.rung ?? 0) + 1,
  times: 0,
  at,
});

/** Restarts a changed ladder at its first rung. */
export const onFirstRung = ({
  ladder,
  restarts,
}: JobContext): Pick<JobContext, 'ladder' | 'forgottenInPlace'> => ({
  ladder: ladder && { ...ladder, rung: 0, times: 0 },
  forgottenInPlace: countInPlace(restarts) || undefined,
});

/**
 * Returns the rung for in-place restarts. If the rung is limited, none are left once a larger restart has followed. An
 * unlimited rung never ends.
 */
export function containerRung(context: JobContext): Rung | undefined {
  const { ladder } = jobPolicy(context).restart;
  const index = ladder.findIndex(({ scope }) => scope === 'container');
  const rung = ladder[index];
  const isBounded = rung?.times !== undefined || rung?.withinMs !== undefined;
  return rung && isBounded && positionOn(context).rung > index ? { scope: rung.scope, times: 0 } : rung;
}

/** Returns the position; after a long time without restarts the ladder restarts at the first rung. */
function positionOn(context: JobContext): Omit<LadderPosition, 'at'> {
  const { ladder } = context;
  const { resetAfterMs } = jobPolicy(context).restart.backOff;
  return ladder && healthyUntil(context, ladder) - ladder.at < resetAfterMs ? ladder : { rung: 0, times: 0 };
}

/** Returns until when the job was healthy: one that stalled or did not start was in trouble while nothing happened. */
const healthyUntil = ({ trouble, progress, at }: JobContext, ladder: LadderPosition): number =>
  trouble ? (progress?.at ?? ladder.at) : at;
