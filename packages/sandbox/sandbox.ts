import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { requestSupervisor } from './control.ts';
import { acquireLock, isAlive } from './engine.ts';
import { SandboxError } from './errors.ts';
import { customResourcesFor, gangProgramsFor } from './gang-schedulers.ts';
import { type KubernetesVersion, kubernetesOfEnvironment } from './kubernetes-versions.ts';
import { sandboxDir, sandboxLayout } from './layout.ts';
import type { SandboxOptions } from './options.ts';
import { explainPending, mergeOptions, withNewGangSchedulers } from './options.ts';
import { choosePorts } from './ports.ts';
import { ensurePrograms } from './programs/ensure-programs.ts';
import type { ProgramName } from './programs/registry.ts';
import { type ProgressReport, silent } from './report.ts';
import { mayRun } from './running.ts';
import { launchSupervisor, untilReady } from './start.ts';
import {
  gangOptionsSchema,
  type Options,
  readState,
  type SandboxGangOptions,
  type SandboxState,
} from './state.ts';
import { killLeftovers, removeFiles, stopSupervisor } from './stop.ts';
import type { StopHow } from './supervisor/child.ts';
import type { ComponentName } from './supervisor/component.ts';
import { localNodeMain } from './supervisor/nodes.ts';
import { retryOnTakenPort } from './taken-ports.ts';

export interface Sandbox {
  readonly dir: string;
  readonly kubernetes: KubernetesVersion;
  readonly kubeconfig: string;
  readonly kubernetesUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string;
  /** False when it was already running. */
  readonly started: boolean;
  /** A sentence for each requested change that needs a `down` first. */
  readonly pending: readonly string[];
}

export type SandboxStatus =
  | { readonly running: false; readonly last?: SandboxState }
  | { readonly running: true; readonly state: SandboxState };

/**
 * Starts the sandbox of this folder, or finds it running and adds what is missing. Resolves when everything is ready.
 * Options that are not given stay as they were.
 *
 * @throws SandboxError with a remedy.
 */
export async function ensureSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
  const requested = { ...given, kubernetes: given.kubernetes ?? kubernetesOfEnvironment() };
  const dir = sandboxDir(requested.dir);
  const report = requested.report ?? silent;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const release = await acquireLock(sandboxLayout(dir).lock, (holder) =>
    report.note(`another \`up\` or \`reset\` (pid ${holder}) is at work on ${dir}: waiting for it`),
  );
  try {
    const status = sandboxStatus(dir);
    if (status.running && status.state.phase !== 'stopping') return await join(dir, status.state, requested);
    if (status.running) await stopSandbox(dir);
    return await retryOnTakenPort(() => startSandbox(dir, requested), report);
  } finally {
    await release();
  }
}

/** Stops the sandbox; kills what does not stop. Returns whether it was running. */
export async function stopSandbox(dir?: string): Promise<boolean> {
  const status = sandboxStatus(dir);
  if (!status.running) return false;
  await stopSupervisor(status.state);
  return true;
}

/** Stops the sandbox and removes its data, logs and credentials, but no programs. Returns whether it was running. */
export async function resetSandbox(dir?: string): Promise<boolean> {
  const paths = sandboxLayout(sandboxDir(dir));
  const wasRunning = await stopDamaged(paths.dir);
  const release = await acquireLock(paths.lock, () => undefined);
  await removeFiles(paths);
  await release();
  return wasRunning;
}

/** Returns the content of state.json, checked against the running processes. */
export function sandboxStatus(dir?: string): SandboxStatus {
  const state = readState(sandboxLayout(sandboxDir(dir)).state);
  if (state === undefined) return { running: false };
  const running = mayRun(state.phase) && isAlive(state.supervisor);
  return running ? { running, state } : { running: false, last: state };
}

/** Resolves when the component is ready again, on the same ports. `kill` ends it like a crash. */
export async function restartComponent(
  dir: string | undefined,
  name: ComponentName,
  how: StopHow = 'gracefully',
): Promise<void> {
  await requestSupervisor(sandboxLayout(sandboxDir(dir)).controlSocket, {
    do: 'restart',
    component: name,
    how,
  });
}

/** Adds nodes to a running sandbox and returns their names when they are Ready. */
export async function addSimulatedNodes(
  dir: string | undefined,
  { count, gpusPerNode, cpusPerNode }: { count: number; gpusPerNode?: number; cpusPerNode?: number },
): Promise<string[]> {
  const { simulatedNodes: have } = runningState(dir).options;
  const { kwok } = await ensurePrograms({ names: ['kwok'] });
  const nodes = {
    count: have.count + count,
    gpusPerNode: gpusPerNode ?? have.gpusPerNode,
    cpusPerNode: cpusPerNode ?? have.cpusPerNode,
  };
  return (
    await requestSupervisor(sandboxLayout(sandboxDir(dir)).controlSocket, {
      do: 'add-simulated-nodes',
      nodes,
      kwok,
    })
  ).nodes;
}

async function startSandbox(dir: string, requested: SandboxOptions): Promise<Sandbox> {
  const report = requested.report ?? silent;
  const paths = sandboxLayout(dir);
  const last = readState(paths.state);
  killLeftovers(last, report);
  const options = mergeOptions(requested, last?.options);
  if (last && existsSync(paths.etcdData))
    requireVersionOfData(dir, last.options.kubernetes, options.kubernetes);
  if (options.localNode && !existsSync(localNodeMain))
    report.note('this checkout has no local node yet: going on without it');
  const ports = await choosePorts(requested.ports ?? {}, last?.ports);
  const programs = await ensurePrograms({
    names: programsFor(options),
    kubernetes: options.kubernetes,
    report,
  });
  const customResources = await customResourcesFor(options.gang, { report });
  const supervisor = await launchSupervisor({ dir, options, ports, programs, customResources });
  return toSandbox(await untilReady(paths, { supervisor, report }), { dir, started: true, pending: [] });
}

async function join(dir: string, found: SandboxState, requested: SandboxOptions): Promise<Sandbox> {
  const report = requested.report ?? silent;
  const state = await untilReady(sandboxLayout(dir), { supervisor: found.supervisor, report });
  for (const { name } of state.components.filter((component) => component.state === 'failed')) {
    report.note(`${name} had failed: starting it again`);
    await restartComponent(dir, name);
  }
  const { simulatedNodes, localNode } = mergeOptions(requested, state.options);
  if (simulatedNodes.count > state.options.simulatedNodes.count) {
    report.step(`adding simulated nodes up to ${simulatedNodes.count}`);
    await addSimulatedNodes(dir, {
      ...simulatedNodes,
      count: simulatedNodes.count - state.options.simulatedNodes.count,
    });
  }
  if (localNode && !state.options.localNode) {
    report.step('adding the local node');
    await requestSupervisor(sandboxLayout(dir).controlSocket, { do: 'add-local-node' });
  }
  const gang = withNewGangSchedulers(requested, state.options);
  if (!isDeepStrictEqual(gang, gangOptionsSchema.parse(state.options)))
    await addGangSchedulers(dir, gang, report);
  return toSandbox(runningState(dir), { dir, started: false, pending: explainPending(requested, state) });
}

async function addGangSchedulers(
  dir: string,
  options: SandboxGangOptions,
  report: ProgressReport,
): Promise<void> {
  const programs = await ensurePrograms({ names: gangProgramsFor(options.gang), report });
  const customResources = await customResourcesFor(options.gang, { report });
  report.step(`adding ${options.gang.join(', ')}`);
  const requested = { do: 'add-gang-schedulers', options, programs, customResources } as const;
  await requestSupervisor(sandboxLayout(dir).controlSocket, requested);
}

/** An API server cannot read objects that another version has stored in an API version of its own, such as PodGroups. */
function requireVersionOfData(dir: string, stored: KubernetesVersion, wanted: KubernetesVersion): void {
  if (stored === wanted) return;
  throw new SandboxError(
    `${dir}: Kubernetes ${wanted} was asked for, but the data here are of Kubernetes ${stored}`,
    '`signalbox sandbox reset` removes them; `--dir` names another folder',
  );
}

/** kwok is needed only for simulated nodes. */
function programsFor({ simulatedNodes, gang }: Options): ProgramName[] {
  const kwok = simulatedNodes.count > 0 ? (['kwok'] as const) : [];
  return [
    'temporal',
    'etcd',
    'kube-apiserver',
    'kube-scheduler',
    'kube-controller-manager',
    ...kwok,
    ...gangProgramsFor(gang),
  ];
}

function runningState(dir?: string): SandboxState {
  const status = sandboxStatus(dir);
  if (status.running) return status.state;
  throw new SandboxError(`${sandboxDir(dir)}: no sandbox runs here`, '`signalbox sandbox up` starts one');
}

function toSandbox(state: SandboxState, about: Pick<Sandbox, 'dir' | 'started' | 'pending'>): Sandbox {
  const { options, kubeconfig, kubernetesUrl, temporalAddress, temporalUiUrl } = state;
  return {
    ...about,
    kubernetes: options.kubernetes,
    kubeconfig,
    kubernetesUrl,
    temporalAddress,
    temporalUiUrl,
  };
}

/** `reset` must work with a damaged state file. */
async function stopDamaged(dir: string): Promise<boolean> {
  try {
    return await stopSandbox(dir);
  } catch (error) {
    if (error instanceof SandboxError && error.cause !== undefined) return false;
    throw error;
  }
}
