import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createProgress } from '../../../cli/print/progress.ts';
import { ClusterClient } from '../../../cluster/client.ts';
import { errorMessage } from '../../../language/error-message.ts';
import { Chance } from '../../scenarios/chance.ts';
import { RANKS } from './drill-manifest.ts';
import { DRILL_NODES, type DrillPlace } from './drill-nodes.ts';
import { FAULTS, type Fault } from './faults.ts';
import type { RecoveryOptions } from './recovery-options.ts';
import type { RunningSystem } from './running-system.ts';
import { type DrillSystem, SYSTEMS, type SystemName } from './systems.ts';
import { type Draw, runTrial, type Trial, type TrialPlan } from './trial.ts';
import { describeTrial } from './trial-text.ts';

/** Runs all trials in a cluster of their own, the systems in turns. */
export async function runDrill(options: RecoveryOptions, say: (text: string) => void): Promise<Trial[]> {
  await prepare(options.systems);
  return DRILL_NODES[options.nodes].run(async (place) => {
    const { sandbox } = place;
    const systems = new Map<SystemName, RunningSystem>();
    const cluster = await ClusterClient.connect(sandbox);
    try {
      for (const name of options.systems) {
        say(`${name} starts`);
        systems.set(name, await SYSTEMS[name].start(sandbox));
      }
      return await runTrials({ ...place, options, say, cluster, systems });
    } finally {
      await Promise.all([...systems.values()].map((system) => system.close()));
      await cluster.close();
    }
  });
}

async function prepare(systems: readonly SystemName[]): Promise<void> {
  const report = createProgress(process.stderr);
  try {
    for (const name of systems) {
      const system: DrillSystem = SYSTEMS[name];
      await system.prepare?.(report);
    }
  } finally {
    report.end();
  }
}

interface Stand extends DrillPlace {
  readonly options: RecoveryOptions;
  readonly say: (text: string) => void;
  readonly cluster: ClusterClient;
  readonly systems: ReadonlyMap<SystemName, RunningSystem>;
}

async function runTrials({ options, say, sandbox, powerOff, cluster, systems }: Stand): Promise<Trial[]> {
  const trials: Trial[] = [];
  const has = ({ fault, system }: TrialPlan) => {
    const { needs }: Fault = FAULTS[fault];
    return needs === undefined || systems.get(system)!.parts[needs] !== undefined;
  };
  const plans = plansOf(options).filter(has);
  for (const plan of plans) {
    const system = systems.get(plan.system)!;
    const folder = join(sandbox.dir, 'drill');
    const place = { cluster, system, powerOff, folder, program: options, capMs: options.capMs };
    const about = { ...plan, loadAverage: Number(loadavg()[0]!.toFixed(1)) };
    const ended = await runTrial(plan, place).then(
      (findings): Trial => ({ ...about, findings }),
      (error: unknown): Trial => ({ ...about, error: errorMessage(error) }),
    );
    trials.push(ended);
    say(`${trials.length} of ${plans.length}: ${describeTrial(ended, options.capMs)}`);
  }
  return trials;
}

/** In how many parts chance cuts the interval between two checkpoints. */
const FINE = 1_000_000;

/** Kind by kind; each time another system comes first. */
export function plansOf({ only, nodes, systems, settings, trials, seed }: RecoveryOptions): TrialPlan[] {
  const rows = systems.flatMap((system) => settings.map((one) => ({ system, settings: one })));
  return only.flatMap((fault) => {
    const chance = new Chance(seed).fork(fault);
    return Array.from({ length: trials }, (_, index) => {
      const draw: Draw = { phase: chance.between(0, FINE) / FINE, victim: chance.between(0, RANKS - 1) };
      const turn = index % rows.length;
      const inTurn = [...rows.slice(turn), ...rows.slice(0, turn)];
      return inTurn.map((row): TrialPlan => ({ fault, nodes, ...row, number: index + 1, ...draw }));
    }).flat();
  });
}
