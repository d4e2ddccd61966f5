import type { Program } from '../program.ts';

/** Says what Flux and Argo CD make of an object, for a long test. Its version is that of Argo CD. */
export const gitopsHealth: Program = {
  name: 'gitops-health',
  version: '3.5.7',
  parseVersion: () => undefined,
  release: () => undefined,
  build: { module: 'gitops-health', package: '.', ldflags: '', minutes: 1 },
};
