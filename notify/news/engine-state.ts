import type { Client } from '@temporalio/client';
import { livePollers } from '../../client/servers/worker-presence.ts';
import { type ArchiverBeat, LOOK_IS_OLD_MS } from '../../contracts/archiver.ts';
import { ENGINE_CONDITIONS, type EngineCondition } from '../../contracts/engine-conditions.ts';
import type { NotifiedChange, NotifierBeat } from '../../contracts/notifications.ts';
import { keysOf } from '../../language/fields.ts';
import { describeArchiver } from '../../temporal/describe-archiver.ts';
import type { When } from '../routes/when.ts';

type Since = NotifierBeat['engine'];

/** What decides which conditions hold. Times in epoch milliseconds of Temporal's clock. */
export interface EngineFacts {
  readonly now: number;
  readonly workers: number;
  /** Since when jobs cannot be listed. */
  readonly unlistedSince?: number;
  /** Absent without an archive. */
  readonly archiver?: { readonly lookedAt: number; readonly beat?: ArchiverBeat };
}

/** So long without a list is no interruption any more. */
const STALE_MS = 3 * 60_000;

/** Returns which conditions hold, and since when: one that held before keeps its time, by which it is told once. */
export function engineState(facts: EngineFacts, before: Since): Since {
  const at = new Date(facts.now).toISOString();
  return Object.fromEntries(
    keysOf(ENGINE_CONDITIONS)
      .filter((name) => HOLDS[name](facts))
      .map((name) => [name, before[name] ?? at]),
  );
}

const HOLDS: Readonly<Record<EngineCondition, (facts: EngineFacts) => boolean>> = {
  NoWorker: ({ workers }) => workers === 0,
  ArchiveEndangered: ({ archiver }) => (archiver?.beat?.endangered ?? 0) > 0,
  ArchiveFailing: ({ archiver }) => archiver?.beat?.isStuck === true,
  ArchiverSilent: ({ archiver, now }) => archiver !== undefined && now - archiver.lookedAt > LOOK_IS_OLD_MS,
  CensusStale: ({ unlistedSince, now }) => unlistedSince !== undefined && now - unlistedSince > STALE_MS,
};

/** Returns what a route tells of the engine: each condition that holds for so long as the route asks. */
export function engineNotices(engine: Since, when: When, now: number): NotifiedChange[] {
  return (when.engine ?? []).flatMap((name) => {
    const at = engine[name];
    if (at === undefined || now - Date.parse(at) < (when.for ?? 0)) return [];
    const { sentence: message, remedy } = ENGINE_CONDITIONS[name];
    const since = at.replaceAll(/[^\dTZ]/g, '');
    const forMs = when.for === undefined ? {} : { forMs: when.for };
    return [{ key: `engine/${name}/${since}`, at, message, remedy, engine: name, ...forMs }];
  });
}

/** Asks Temporal alone. */
export async function readEngine(
  temporal: Client,
  { installation, taskQueue }: { readonly installation: string; readonly taskQueue: string },
): Promise<Pick<EngineFacts, 'workers' | 'archiver'>> {
  const [pollers, archiver] = await Promise.all([
    livePollers(temporal, taskQueue),
    describeArchiver(temporal, installation),
  ]);
  const { beat } = (await archiver?.activity<ArchiverBeat>('archiveClosed')) ?? {};
  return {
    workers: pollers.length,
    ...(archiver ? { archiver: { lookedAt: archiver.lookedAt, ...(beat ? { beat } : {}) } } : {}),
  };
}
