/** The public entry of `@signalbox/sandbox`. */
export { SandboxError } from './errors.ts';
export { customResourcesFor, type GangSchedulerName, gangSchedulerNames } from './gang-schedulers.ts';
export { type Guardian, startGuardian } from './guardian.ts';
export { layout, sandboxDir } from './layout.ts';
export { isUsable, type NodeStatus } from './node-readiness.ts';
export type { SandboxOptions } from './options.ts';
export { ensurePrograms } from './programs/ensure-programs.ts';
export type { Report } from './report.ts';
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
export type { ComponentState, State } from './state.ts';
export type { ComponentName } from './supervisor/component.ts';
