import type { ModuleFiles } from '../cache.ts';
import type { Program } from '../program.ts';

const version = '2.3.0';

/** Kubeflow Trainer's controller, which a bench compares with the engine; it needs JobSet. No sandbox runs it. */
export const trainerController: Program = {
  name: 'trainer',
  version,
  parseVersion: () => undefined,
  release: () => undefined, // Kubeflow publishes images only
  build: {
    module: 'trainer',
    package: 'github.com/kubeflow/trainer/v2/cmd/trainer-controller-manager',
    ldflags: '',
    minutes: 2,
  },
};

const module = { version, module: 'trainer', path: 'github.com/kubeflow/trainer/v2' };

export const trainerCustomResources: ModuleFiles = {
  ...module,
  name: 'trainer-crds',
  files: ['clustertrainingruntimes', 'trainingruntimes', 'trainjobs'].map(
    (plural) => `manifests/base/crds/trainer.kubeflow.org_${plural}.yaml`,
  ),
};

export const trainerWebhooks: ModuleFiles = {
  ...module,
  name: 'trainer-webhooks',
  files: ['manifests/base/webhook/manifests.yaml'],
};
