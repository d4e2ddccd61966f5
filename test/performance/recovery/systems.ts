import { ensureJobSet, ensureTrainer, ensureTrainingOperator, type ProgressReport } from '@signalbox/sandbox';
import type { ThrowawaySandbox } from '../throwaway-sandbox.ts';
import { startJobSetSystem } from './jobset-system.ts';
import type { RunningSystem } from './running-system.ts';
import { startSignalbox } from './signalbox-system.ts';
import { startTrainerSystem } from './trainer-system.ts';
import { startTrainingOperator } from './training-operator-system.ts';

export interface DrillSystem {
  readonly what: string;
  /** Before there is a sandbox, so that a machine without what builds its programs learns it at once. */
  prepare?(report: ProgressReport): Promise<unknown>;
  start(place: ThrowawaySandbox): Promise<RunningSystem>;
}

/** A further system is a row, a file that starts it, and two manifests. */
export const SYSTEMS = {
  signalbox: { what: 'this checkout, from its sources', start: startSignalbox },
  'training-operator': {
    what: "Kubeflow's training-operator 1.9.3",
    prepare: (report: ProgressReport) => ensureTrainingOperator({ report }),
    start: startTrainingOperator,
  },
  jobset: {
    what: 'JobSet 0.12.0, and the Job controller of Kubernetes',
    prepare: (report: ProgressReport) => ensureJobSet({ report }),
    start: startJobSetSystem,
  },
  trainer: {
    what: "Kubeflow's Trainer 2.3.0, and JobSet",
    prepare: async (report: ProgressReport) => {
      await ensureJobSet({ report });
      await ensureTrainer({ report });
    },
    start: startTrainerSystem,
  },
} satisfies Readonly<Record<string, DrillSystem>>;
export type SystemName = keyof typeof SYSTEMS;

/** As shipped, and with the best that its users can set: `manifests/SYSTEM-SETTINGS.yaml`. */
export const SETTINGS = ['shipped', 'best'] as const;
export type SettingsName = (typeof SETTINGS)[number];
