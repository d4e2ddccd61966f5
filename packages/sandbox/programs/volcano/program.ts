import type { ModuleFiles } from '../cache.ts';
import type { Program } from '../program.ts';

const version = '1.10.0';

export const vcScheduler: Program = volcano('vc-scheduler', 'scheduler', 2);
export const vcControllerManager: Program = volcano('vc-controller-manager', 'controller-manager', 0.5);

export const volcanoCustomResources: ModuleFiles = {
  name: 'volcano-crds',
  version,
  module: 'volcano',
  path: 'volcano.sh/volcano',
  files: ['scheduling.volcano.sh_podgroups', 'scheduling.volcano.sh_queues', 'bus.volcano.sh_commands'].map(
    (name) => `config/crd/volcano/bases/${name}.yaml`,
  ),
};

function volcano(name: string, command: string, minutes: number): Program {
  return {
    name,
    version,
    versionArgs: ['--version'],
    parseVersion: (output) => /^Version: v(\S+)$/m.exec(output)?.[1],
    release: () => undefined, // Volcano publishes images only
    build: {
      module: 'volcano',
      package: `volcano.sh/volcano/cmd/${command}`,
      ldflags: `-X volcano.sh/volcano/pkg/version.Version=v${version}`,
      minutes,
    },
  };
}
