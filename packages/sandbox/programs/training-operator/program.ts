import type { ModuleFiles } from '../cache.ts';
import type { Program } from '../program.ts';

const version = '1.9.3';

/** Kubeflow's operator, which benches compare with the engine. No sandbox runs it. */
export const trainingOperator: Program = {
  name: 'training-operator',
  version,
  parseVersion: () => undefined,
  release: () => undefined, // Kubeflow publishes images only
  build: {
    module: 'training-operator',
    package: 'github.com/kubeflow/training-operator/cmd/training-operator.v1',
    ldflags: '',
    minutes: 1.5,
  },
};

export const pytorchJobCustomResource: ModuleFiles = {
  name: 'training-operator-crds',
  version,
  module: 'training-operator',
  path: 'github.com/kubeflow/training-operator',
  files: ['manifests/base/crds/kubeflow.org_pytorchjobs.yaml'],
};
