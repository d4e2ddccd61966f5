import { firstAt, type ProgramRun } from './program-log.ts';
import { type World, worldsOf } from './worlds.ts';

/** What a fault cost, by the log of the program alone. Times are milliseconds since the fault. */
export interface Recovery {
  /** t5: every rank has joined the others again. */
  readonly joinedMs: number;
  /** t6: every rank has loaded the checkpoint. */
  readonly loadedMs: number;
  /** t7, the time to recover: every rank has finished a new step with all the others. */
  readonly trainedMs: number;
  /** t8: every rank has got as far as before; undefined if that was not observed. */
  readonly caughtUpMs?: number;
  /** From the last step before it to t7: nobody trained. An evicted pod may train on until its grace period is over. */
  readonly idleMs: number;
  /** Steps that every rank had finished and that had to be trained again. */
  readonly lostSteps: number;
  /** These steps, in the time that they had taken. */
  readonly lostMs: number;
  /** How often the ranks met in vain before that. */
  readonly vainStarts: number;
}

/** Of processes that all write the times of one clock; undefined while the ranks have not recovered. */
export function recoveryOf(
  runs: readonly ProgramRun[],
  { injectedAt, ranks }: { readonly injectedAt: number; readonly ranks: number },
): Recovery | undefined {
  const worlds = worldsOf(runs, ranks);
  const old = worlds.filter(({ joinedAt }) => joinedAt <= injectedAt);
  const fresh = worlds.filter(({ joinedAt }) => joinedAt > injectedAt);
  const index = fresh.findIndex(({ trainedAt }) => trainedAt !== undefined);
  const world = fresh[index];
  if (!world) return undefined;
  const reached = Math.max(0, ...old.map(({ lastStep }) => lastStep));
  const lostSteps = Math.max(0, reached - world.resumedFrom!);
  const since = (at: number) => at - injectedAt;
  const caughtUp = caughtUpAt(fresh.slice(index), reached);
  return {
    joinedMs: since(world.joinedAt),
    loadedMs: since(Math.max(...world.runs.map((run) => firstAt(run, 'loaded')!))),
    trainedMs: since(world.trainedAt!),
    caughtUpMs: caughtUp && since(caughtUp),
    idleMs: world.trainedAt! - lastStepAt(old),
    lostSteps,
    lostMs: lostSteps * stepMsOf(old),
    vainStarts: index,
  };
}

/** When all ranks of a world had finished the step, or a later one. */
function caughtUpAt(worlds: readonly World[], step: number): number | undefined {
  const times = worlds.flatMap(({ runs }) => {
    const reached = runs.map((run) => firstAt(run, 'step', step));
    return reached.every((at) => at !== undefined) ? Math.max(...reached) : [];
  });
  return times[0];
}

const stepsOf = (worlds: readonly World[]) =>
  worlds.flatMap(({ runs }) => runs.flatMap(({ events }) => events.filter(({ what }) => what === 'step')));

const lastStepAt = (worlds: readonly World[]) => Math.max(...stepsOf(worlds).map(({ at }) => at));

/** The mean of the last world: a busy machine takes longer for a step than the program pauses. */
function stepMsOf(worlds: readonly World[]): number {
  const times = worlds
    .at(-1)!
    .runs[0]!.events.filter(({ what }) => what === 'step')
    .map(({ at }) => at);
  return (times.at(-1)! - times[0]!) / Math.max(1, times.length - 1);
}
