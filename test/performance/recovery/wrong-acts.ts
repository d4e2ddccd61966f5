import { firstAt, type ProgramRun } from './program-log.ts';
import { type World, worldsOf } from './worlds.ts';

/** What no engine may do, counted from the log of the program alone. */
export interface WrongActs {
  /** The ranks had to meet again although nothing was wrong: before the fault, or after the recovery from it. */
  readonly restartsOfHealthy: number;
  /** Processes that wrote after another one of their rank had started, and worlds that trained beside a later one. */
  readonly aliveTwice: number;
  /** Steps that nobody trained: a world began behind the step after the last one. */
  readonly skippedSteps: number;
  /** Steps lost although a checkpoint had them: a world resumed from an older one. */
  readonly forgottenSteps: number;
}

export function wrongActsOf(
  runs: readonly ProgramRun[],
  { injectedAt, ranks }: { readonly injectedAt: number; readonly ranks: number },
): WrongActs {
  const worlds = worldsOf(runs, ranks);
  const before = worlds.filter(({ joinedAt }) => joinedAt <= injectedAt).length;
  const recovered = worlds.findIndex((world, index) => index >= before && world.trainedAt !== undefined);
  const after = recovered < 0 ? 0 : worlds.length - 1 - recovered;
  return {
    restartsOfHealthy: Math.max(0, before - 1) + after,
    aliveTwice: processesBesideLater(runs) + worldsBesideLater(worlds),
    skippedSteps: sum(worlds.map((world, index) => skippedBy(world, worlds.slice(0, index), runs))),
    forgottenSteps: sum(worlds.map((world) => forgottenBy(world, runs))),
  };
}

export const isClean = (acts: WrongActs): boolean => Object.values(acts).every((count) => count === 0);

function processesBesideLater(runs: readonly ProgramRun[]): number {
  return runs.filter((run) =>
    runs.some(
      (later) =>
        later.rank === run.rank && later.startedAt > run.startedAt && run.events.at(-1)!.at > later.startedAt,
    ),
  ).length;
}

function worldsBesideLater(worlds: readonly World[]): number {
  const stepTimes = worlds.map(({ runs }) =>
    runs.flatMap(({ events }) => events.flatMap(({ what, at }) => (what === 'step' ? at : []))),
  );
  return stepTimes.filter((times, index) =>
    stepTimes.slice(index + 1).some((later) => later.length > 0 && Math.min(...later) < Math.max(...times)),
  ).length;
}

/** A world of which no rank has finished a step has skipped none. */
function skippedBy(world: World, earlier: readonly World[], runs: readonly ProgramRun[]): number {
  if (world.trainedAt === undefined) return 0;
  const reached = Math.max(0, ...earlier.map(({ lastStep }) => lastStep));
  return Math.max(0, world.resumedFrom! - Math.max(reached, savedBefore(world, runs)));
}

function forgottenBy(world: World, runs: readonly ProgramRun[]): number {
  return world.trainedAt === undefined ? 0 : Math.max(0, savedBefore(world, runs) - world.resumedFrom!);
}

/** The newest checkpoint that was complete when the first rank of the world met the others. */
function savedBefore({ runs: members }: World, runs: readonly ProgramRun[]): number {
  const metAt = Math.min(...members.map((run) => firstAt(run, 'joined')!));
  const saved = runs.flatMap(({ events }) =>
    events.flatMap((event) => (event.what === 'checkpoint' && event.at < metAt ? event.step : [])),
  );
  return Math.max(0, ...saved);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
