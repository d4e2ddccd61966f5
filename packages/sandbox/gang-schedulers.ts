import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ensureModuleFiles, type FromModule } from './programs/module-files.ts';
import { schedulerPluginsCustomResources } from './programs/scheduler-plugins/program.ts';
import { volcanoCustomResources } from './programs/volcano/program.ts';

/** What `--gang` may name. */
export const gangSchedulerNames = ['volcano', 'coscheduling', 'kube-batch'] as const;
export type GangSchedulerName = (typeof gangSchedulerNames)[number];

/** Paths of the programs that were asked for. */
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
  /** What runs for it, each as a component of the same name. */
  readonly programs: readonly GangProgramName[];
  /** The path of a YAML file with the definitions of its custom resources. */
  customResources(from: FromModule): Promise<string>;
}

export const gangSchedulers: Readonly<Record<GangSchedulerName, GangScheduler>> = {
  volcano: {
    programs: ['vc-scheduler', 'vc-controller-manager'],
    customResources: (from) => ensureModuleFiles(volcanoCustomResources, from),
  },
  coscheduling: {
    programs: ['scheduler-plugins-scheduler', 'scheduler-plugins-controller'],
    customResources: (from) => ensureModuleFiles(schedulerPluginsCustomResources, from),
  },
  // Resources only: its scheduler asks for APIs that Kubernetes 1.22 removed.
  'kube-batch': {
    programs: [],
    customResources: async () =>
      fileURLToPath(new URL('./kube-batch/custom-resources.yaml', import.meta.url)),
  },
};

export function gangProgramsFor(names: readonly GangSchedulerName[]): GangProgramName[] {
  return names.flatMap((name) => gangSchedulers[name].programs);
}

/** Paths of YAML files that define everything these schedulers read and write. */
export function customResourcesFor(
  names: readonly GangSchedulerName[],
  from: FromModule = {},
): Promise<string[]> {
  return Promise.all(names.map((name) => gangSchedulers[name].customResources(from)));
}
