import type { ModuleFiles } from '../cache.ts';
import type { Program } from '../program.ts';

const version = '1.14.0';

/** An autoscaler whose machines are nodes of kwok. A long test runs it beside a sandbox. */
export const karpenter: Program = {
  name: 'karpenter',
  version,
  parseVersion: () => undefined,
  release: () => undefined, // published as images of clouds only
  build: { module: 'karpenter', package: 'sigs.k8s.io/karpenter/kwok', ldflags: '', minutes: 3 },
};

export const karpenterCustomResources: ModuleFiles = {
  name: 'karpenter-crds',
  version,
  module: 'karpenter',
  path: 'sigs.k8s.io/karpenter',
  files: [
    'pkg/apis/crds/karpenter.sh_nodeclaims.yaml',
    'pkg/apis/crds/karpenter.sh_nodeoverlays.yaml',
    'pkg/apis/crds/karpenter.sh_nodepools.yaml',
    'kwok/apis/crds/karpenter.kwok.sh_kwoknodeclasses.yaml',
  ],
};
