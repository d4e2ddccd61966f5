/** The public entry of `@signalbox/sandbox`. */
export { installCustomResources } from './custom-resources.ts';
export { SandboxError } from './errors.ts';
export { customResourcesFor, type GangSchedulerName, gangSchedulerNames } from './gang-schedulers.ts';
export {
  DEFAULT_KUBERNETES_VERSION,
  type KubernetesVersion,
  kubernetesReleases,
  kubernetesVersions,
} from './kubernetes-versions.ts';
export { sandboxDir, sandboxLayout } from './layout.ts';
export { isNodeSchedulable, type ObservedNode } from './node-readiness.ts';
export {
  ensureJobSet,
  ensureJobSetDefinition,
  ensureKarpenter,
  ensureKueue,
  ensureTrainer,
  ensureTrainingOperator,
  type KueueFiles,
  type OperatorFiles,
  type OperatorWithWebhooks,
} from './operators.ts';
export type { SandboxOptions } from './options.ts';
export { type ProcessReaper, startProcessReaper } from './process-reaper.ts';
export { cacheDir } from './programs/cache.ts';
export { ensurePrograms } from './programs/ensure-programs.ts';
export type { ProgressReport } from './report.ts';
export {
  addSimulatedNodes,
  ensureSandbox,
  resetSandbox,
  restartComponent,
  type Sandbox,
  type SandboxStatus,
  sandboxStatus,
  stopSandbox,
} from './sandbox.ts';
export type { ComponentState, SandboxState } from './state.ts';
export type { ComponentName } from './supervisor/component.ts';
