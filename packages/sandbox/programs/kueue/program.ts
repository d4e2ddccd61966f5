import type { ModuleFolder } from '../module-files.ts';
import type { Program } from '../program.ts';

const version = '0.19.2';

/** Kueue's manager, which a long test runs beside a sandbox. */
export const kueueManager: Program = {
  name: 'kueue',
  version,
  parseVersion: () => undefined,
  release: () => undefined, // Kueue publishes images only
  build: { module: 'kueue', package: 'sigs.k8s.io/kueue/cmd/kueue', ldflags: '', minutes: 5 },
};

export const kueueChart: ModuleFolder = {
  name: 'kueue-chart',
  version,
  module: 'kueue',
  path: 'sigs.k8s.io/kueue',
  folder: 'charts/kueue',
};
