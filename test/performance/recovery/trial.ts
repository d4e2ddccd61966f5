import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../../cluster/client.ts';
import { eventually } from '../../eventually.ts';
import { type Recovery, recoveryOf } from './clock.ts';
import { drillManifest, type ProgramOptions, RANKS } from './drill-manifest.ts';
import type { DrillNodesName, DrillPlace } from './drill-nodes.ts';
import { FAULTS, type Fault, type FaultName } from './faults.ts';
import { type ClusterCourse, clusterCourseOf, watchPods } from './pod-sightings.ts';
import { lastStepOf, type ProgramRun, readProgramLog } from './program-log.ts';
import { killingPrograms, pidsOf } from './program-processes.ts';
import type { RunningSystem } from './running-system.ts';
import type { SettingsName, SystemName } from './systems.ts';
import { worldsOf } from './worlds.ts';
import { type WrongActs, wrongActsOf } from './wrong-acts.ts';

/** What chance decides of a trial: the same for all systems. */
export interface Draw {
  /** When in the interval between two checkpoints the fault comes, from 0 to 1. */
  readonly phase: number;
  /** Which rank it hits. */
  readonly victim: number;
}

export interface TrialPlan extends Draw {
  readonly nodes: DrillNodesName;
  readonly fault: FaultName;
  readonly system: SystemName;
  readonly settings: SettingsName;
  readonly number: number;
}

export interface TrialPlace extends Pick<DrillPlace, 'powerOff'> {
  readonly cluster: ClusterClient;
  readonly system: RunningSystem;
  /** For the files of all trials. */
  readonly folder: string;
  readonly program: ProgramOptions;
  readonly capMs: number;
}

/** What a trial showed. Without a recovery the job did not train again within the cap. */
export interface TrialFindings {
  readonly recovery?: Recovery & ClusterCourse;
  readonly wrong: WrongActs;
}

/** A trial as it ended: with what it showed, or with why it showed nothing. */
export interface Trial extends TrialPlan {
  /** Of the machine, over the minute before it began: others may work beside it. */
  readonly loadAverage: number;
  readonly findings?: TrialFindings;
  readonly error?: string;
}

/** The machine may be busy, and the system new. */
const HEALTHY_WITHIN_MS = 180_000;
const EVERY = { everyMs: 100 };
/** For how long a job is watched after it has recovered: a second restart shows by then. */
const SETTLE_MS = 5_000;

/** Runs a job, lets one fault happen to it, and removes it however that ends. */
export async function runTrial(plan: TrialPlan, place: TrialPlace): Promise<TrialFindings> {
  const name = [plan.fault, plan.system, plan.settings, plan.number].join('-');
  const folder = join(place.folder, name);
  await mkdir(folder, { recursive: true });
  const { program, system } = place;
  await system.submit(await drillManifest(plan.system, plan.settings, { name, folder, program }));
  const [found] = await Promise.allSettled([observeFault(plan, place, { name, folder })]);
  const [removed] = await Promise.allSettled([killingPrograms(folder, system.remove(name))]);
  // What went wrong first explains the other.
  if (found.status === 'rejected') throw found.reason;
  if (removed.status === 'rejected') throw removed.reason;
  return found.value;
}

async function observeFault(
  plan: TrialPlan,
  { cluster, system, powerOff, program, capMs }: TrialPlace,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<TrialFindings> {
  const over = new AbortController();
  let undo: (() => Promise<void>) | undefined;
  try {
    const sightings = await watchPods(cluster, `${system.podLabel}=${name}`, over.signal);
    const { runs, pids } = await untilPhase(folder, plan, program);
    const fault: Fault = FAULTS[plan.fault];
    const pods = runs.map((run) => run.pod);
    const scene = { cluster, system, powerOff, pids, pods, victim: plan.victim };
    const injectedAt = Date.now();
    undo = (await fault.inject(scene)) ?? undefined;
    const span = { injectedAt, ranks: RANKS };
    const recovery = await untilRecovered(folder, span, capMs);
    const wrong = wrongActsOf(await readProgramLog(folder), span);
    if (!recovery) return { wrong };
    const trainedAt = injectedAt + recovery.trainedMs;
    const deleted = fault.deletes === 'all' ? pods : fault.deletes ? [pods[plan.victim]!] : [];
    const course = clusterCourseOf(sightings, { injectedAt, trainedAt, deleted });
    return { recovery: { ...recovery, ...course }, wrong };
  } finally {
    over.abort();
    await undo?.();
  }
}

interface HealthyJob {
  /** By rank. */
  readonly runs: readonly ProgramRun[];
  readonly pids: readonly number[];
}

/** Waits until every rank is so far into the second interval, and runs. */
async function untilPhase(folder: string, { phase }: Draw, program: ProgramOptions): Promise<HealthyJob> {
  const target = program.checkpointSteps * (1 + phase);
  const healthy = await eventually(
    `every rank is at step ${Math.floor(target)}`,
    async () => {
      const world = worldsOf(await readProgramLog(folder), RANKS).at(-1);
      if (!world || Math.min(...world.runs.map(lastStepOf)) < Math.floor(target)) return undefined;
      const runs = [...world.runs].sort((a, b) => a.rank - b.rank);
      const pids = (await pidsOf(runs)).filter((pid) => pid !== undefined);
      // One that was restarted meanwhile goes on from its checkpoint.
      return pids.length === runs.length && { runs, pids };
    },
    { withinMs: HEALTHY_WITHIN_MS, ...EVERY },
  );
  // Not only between two steps.
  await delay((target % 1) * program.stepSeconds * 1_000);
  return healthy;
}

/** Watches on until the lost steps are trained again; undefined if nothing trains within the cap. */
async function untilRecovered(
  folder: string,
  span: { readonly injectedAt: number; readonly ranks: number },
  capMs: number,
): Promise<Recovery | undefined> {
  const look = async () => recoveryOf(await readProgramLog(folder), span);
  for (let found: Recovery | undefined; Date.now() - span.injectedAt < capMs; found = await look()) {
    if (found?.caughtUpMs !== undefined) {
      await delay(SETTLE_MS);
      return look();
    }
    await delay(EVERY.everyMs);
  }
  return look();
}
