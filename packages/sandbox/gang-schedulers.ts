import { z } from 'zod';
import { ensureModuleFiles, type FromModule } from './programs/module-files.ts';
import { schedulerPluginsCustomResources } from './programs/scheduler-plugins/program.ts';
import { volcanoCustomResources } from './programs/volcano/program.ts';

/** The values of `--gang`. */
export const gangSchedulerNames = ['volcano', 'coscheduling'] as const;
export type GangSchedulerName = (typeof gangSchedulerNames)[number];

/** Paths of the requested programs. */
export const gangProgramsSchema = z
  .object({
    'vc-scheduler': z.string(),
    'vc-controller-manager': z.string(),
    'scheduler-plugins-scheduler': z.string(),
    'scheduler-plugins-controller': z.string(),
  })
  .partial();
export type GangProgramName = keyof z.infer<typeof gangProgramsSchema>;

interface GangScheduler {
  /** Its programs; each runs as a component of the same name. */
  readonly programs: readonly GangProgramName[];
  /** Returns the path of a YAML file that defines its custom resources. */
  customResources(from: FromModule): Promise<string>;
}

const gangSchedulers: Readonly<Record<GangSchedulerName, GangScheduler>> = {
  volcano: {
    programs: ['vc-scheduler', 'vc-controller-manager'],
    customResources: (from) => ensureModuleFiles(volcanoCustomResources, from),
  },
  coscheduling: {
    programs: ['scheduler-plugins-scheduler', 'scheduler-plugins-controller'],
    customResources: (from) => ensureModuleFiles(schedulerPluginsCustomResources, from),
  },
};

export function gangProgramsFor(names: readonly GangSchedulerName[]): GangProgramName[] {
  return names.flatMap((name) => gangSchedulers[name].programs);
}

/** Returns paths of YAML files that define the custom resources of these schedulers. */
export function customResourcesFor(
  names: readonly GangSchedulerName[],
  from: FromModule = {},
): Promise<string[]> {
  return Promise.all(names.map((name) => gangSchedulers[name].customResources(from)));
}
