import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { baseEnvironment } from './base-environment.ts';
import { resolveEnvironment } from './environment.ts';
import { findExecutable } from './executable.ts';
import { expand } from './expansion.ts';
import type { RunnableContainer } from './fields.ts';
import { CreateContainerError, StartError } from './launch-errors.ts';
import { containerMounts, withoutLinks } from './namespaces/container-mounts.ts';
import { locate, type Mount } from './namespaces/mount.ts';
import { makeRootfs } from './namespaces/rootfs.ts';
import type { NodeContext } from './node-context.ts';
import type { PodSandbox } from './pod-sandbox.ts';
import type { Launch } from './process.ts';

const HOSTS = '/etc/hosts';

/** Returns the command to start for a container with all variables expanded, its environment and its namespaces. */
export async function prepareLaunch(
  container: RunnableContainer,
  sandbox: PodSandbox,
  context: NodeContext,
): Promise<Launch> {
  if (context.refusal) throw new CreateContainerError(context.refusal);
  const written = commandOf(container);
  const variables = await resolveEnvironment(
    {
      pod: sandbox.pod,
      container,
      addresses: { podIP: sandbox.address, hostIP: context.hostIP },
      allocatable: context.allocatable,
    },
    sandbox.references.findValues,
  );
  const mounts = await containerMounts(container, variables, (name) => sandbox.volumes.sourceOf(name));
  const cwd = await workingDirectory(container, mounts, context);
  const devices = context.devices.variablesOf(container, sandbox.pod);
  const env = { ...baseEnvironment(sandbox.hostname), ...devices, ...variables };
  const [program = '', ...args] = written.map((word) => expand(word, variables));
  const search = { path: env.PATH, cwd, locate: (path: string) => locate(path, mounts) };
  const found = await findExecutable(program, search);
  if (!found) throw new StartError(`exec: "${program}": executable file not found in $PATH`);
  const { start, ...namespaces } = await enterNamespaces({ container, mounts, cwd, sandbox, context });
  return { argv: start([found, ...args]), env, ...namespaces };
}

function commandOf({ name, image, command, args }: RunnableContainer): readonly string[] {
  if (command?.length) return [...command, ...(args ?? [])];
  throw new CreateContainerError(
    `no command specified: the local node runs no images, so it does not know the entrypoint of ${image ?? 'the image'}; container "${name}" needs a command`,
  );
}

interface Wanted {
  readonly container: RunnableContainer;
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly sandbox: PodSandbox;
  readonly context: NodeContext;
}

/** How to start commands in the container's namespaces, and in which directory of this machine. */
type LaunchNamespaces = Pick<Launch, 'cwd' | 'ownsPids' | 'enter'> & {
  readonly start: (command: readonly string[]) => string[];
};

async function enterNamespaces({
  container,
  mounts,
  cwd,
  sandbox,
  context,
}: Wanted): Promise<LaunchNamespaces> {
  const { mountNamespace, resolvesNames } = context;
  assertMountable(mounts, mountNamespace);
  const all = resolvesNames ? await withHosts(mounts, sandbox.hostsFile) : mounts;
  const hostname = resolvesNames && !sandbox.pod.spec.hostNetwork ? sandbox.hostname : undefined;
  const namespaceOptions = async () => ({
    rootfs: await makeRootfs(all, join(sandbox.dir, '.rootfs', container.name)),
    hostname,
    cwd,
  });
  if (container.lifecycle?.preStop?.exec) {
    const pidNamespace = await context.pidNamespace();
    if ('why' in pidNamespace) throw new CreateContainerError(`${NEEDS_PID_NAMESPACE}: ${pidNamespace.why}`);
    const options = await namespaceOptions();
    const start = (command: readonly string[]) => pidNamespace.enter(options, command);
    return {
      start,
      enter: (command, pid1) => pidNamespace.join(pid1, cwd, command),
      cwd: '/',
      ownsPids: true,
    };
  }
  if ('why' in mountNamespace || all.length === 0) return { start: same, enter: same, cwd, ownsPids: false };
  const options = await namespaceOptions();
  const enter = (command: readonly string[]) => mountNamespace(options, command);
  return { start: enter, enter, cwd: '/', ownsPids: false };
}

/** Hooks signal process 1. Without a PID namespace that would be the machine's init. */
const NEEDS_PID_NAMESPACE =
  'a container with a preStop hook needs a PID namespace, so that process 1 is its own';

const same = (command: readonly string[]) => [...command];

function assertMountable(mounts: readonly Mount[], mountNamespace: NodeContext['mountNamespace']): void {
  const needed = mounts.filter(({ source, target }) => source !== target);
  if (needed.length === 0 || !('why' in mountNamespace)) return;
  const targets = needed.map(({ target }) => target).join(', ');
  throw new CreateContainerError(
    `volumes cannot be mounted at ${targets}: ${mountNamespace.why}; only a hostPath whose mountPath is its own path needs no mount`,
  );
}

/** Does not replace a volume that the manifest mounts there. */
async function withHosts(mounts: readonly Mount[], source: string): Promise<readonly Mount[]> {
  const target = await withoutLinks(HOSTS);
  const isTaken = mounts.some((mount) => mount.target === target);
  return isTaken ? mounts : [...mounts, { target, source, readOnly: false }];
}

/** A `workingDir` is a path of an image. Uses the default if neither this machine nor a volume has it. */
async function workingDirectory(
  { workingDir }: RunnableContainer,
  mounts: readonly Mount[],
  { workdir }: NodeContext,
): Promise<string> {
  if (!workingDir) return workdir;
  const wanted = resolve(workdir, workingDir);
  const found = await stat(locate(wanted, mounts)).catch(() => undefined);
  return found?.isDirectory() ? wanted : workdir;
}
