import { firstAt, lastStepOf, type ProgramRun } from './program-log.ts';

/** The processes that met at a rendezvous and train together. */
export interface World {
  readonly id: string;
  readonly runs: readonly ProgramRun[];
  /** When its last rank joined. */
  readonly joinedAt: number;
  /** The step that it resumed from; undefined if no rank has loaded it. */
  readonly resumedFrom?: number;
  /** When every rank had finished a step in it; undefined if one has not. */
  readonly trainedAt?: number;
  /** The last step that every rank finished in it; the one resumed from before the first. */
  readonly lastStep: number;
}

/** In the order in which they met. A rendezvous that some ranks have joined so far is no world yet. */
export function worldsOf(runs: readonly ProgramRun[], ranks: number): World[] {
  const byId = Map.groupBy(
    runs.filter(({ world }) => world !== undefined),
    ({ world }) => world!,
  );
  const met = [...byId].filter(([, members]) => new Set(members.map(({ rank }) => rank)).size === ranks);
  return met.map(([id, members]) => worldOf(id, members)).sort((a, b) => a.joinedAt - b.joinedAt);
}

function worldOf(id: string, runs: readonly ProgramRun[]): World {
  const firstSteps = runs.flatMap((run) => firstAt(run, 'step') ?? []);
  const resumedFrom = runs.flatMap(({ events }) =>
    events.flatMap((event) => (event.what === 'loaded' ? event.step : [])),
  )[0];
  const isTrained = firstSteps.length === runs.length;
  return {
    id,
    runs,
    joinedAt: Math.max(...runs.map((run) => firstAt(run, 'joined')!)),
    resumedFrom,
    trainedAt: isTrained ? Math.max(...firstSteps) : undefined,
    lastStep: isTrained ? Math.min(...runs.map(lastStepOf)) : (resumedFrom ?? 0),
  };
}
