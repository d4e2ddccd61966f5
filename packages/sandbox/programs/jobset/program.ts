import type { ModuleFiles } from '../cache.ts';
import type { Program } from '../program.ts';

const version = '0.12.0';

/** JobSet's controller, which a bench compares with the engine. No sandbox runs it. */
export const jobsetController: Program = {
  name: 'jobset',
  version,
  parseVersion: () => undefined,
  release: () => undefined, // JobSet publishes images only
  build: { module: 'jobset', package: 'sigs.k8s.io/jobset', ldflags: '', minutes: 2 },
};

const module = { version, module: 'jobset', path: 'sigs.k8s.io/jobset' };

export const jobsetCustomResources: ModuleFiles = {
  ...module,
  name: 'jobset-crds',
  files: ['config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml'],
};

export const jobsetWebhooks: ModuleFiles = {
  ...module,
  name: 'jobset-webhooks',
  files: ['config/components/webhook/manifests.yaml'],
};
