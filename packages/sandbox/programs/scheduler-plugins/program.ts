import type { ModuleFiles } from '../cache.ts';
import type { Program } from '../program.ts';

const version = '0.32.7';

/** kube-scheduler with Coscheduling and the other plugins compiled in. */
export const schedulerPluginsScheduler: Program = schedulerPlugins('scheduler', 2.5);
/** Maintains the phase and counters of PodGroups. It has no `--version`, so it is never taken from PATH. */
export const schedulerPluginsController: Program = schedulerPlugins('controller', 0.5);

export const schedulerPluginsCustomResources: ModuleFiles = {
  name: 'scheduler-plugins-crds',
  version,
  module: 'scheduler-plugins',
  path: 'sigs.k8s.io/scheduler-plugins',
  // its controller does not start without ElasticQuota either
  files: ['podgroups', 'elasticquotas'].map((name) => `config/crd/bases/scheduling.x-k8s.io_${name}.yaml`),
};

function schedulerPlugins(command: string, minutes: number): Program {
  return {
    name: `scheduler-plugins-${command}`,
    version,
    versionArgs: ['--version'],
    parseVersion: (output) => /^Kubernetes v(\S+)$/m.exec(output)?.[1],
    release: () => undefined, // scheduler-plugins publishes images only
    build: {
      module: 'scheduler-plugins',
      package: `sigs.k8s.io/scheduler-plugins/cmd/${command}`,
      ldflags: `-X k8s.io/component-base/version.gitVersion=v${version}`,
      minutes,
    },
  };
}
