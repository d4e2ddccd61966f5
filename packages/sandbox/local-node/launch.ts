import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { baseEnvironment } from './base-environment.ts';
import { resolveEnvironment } from './environment.ts';
import { findExecutable } from './executable.ts';
import { expand } from './expansion.ts';
import type { RunnableContainer } from './fields.ts';
import type { Ground } from './ground.ts';
import { CreateContainerError, StartError } from './launch-errors.ts';
import type { Place } from './place.ts';
import type { Launch } from './process.ts';
import { containerMounts, withoutLinks } from './view/container-mounts.ts';
import { makeView } from './view/container-view.ts';
import { locate, type Mount } from './view/mount.ts';

const HOSTS = '/etc/hosts';

/** What to start for a container: its command with all variables filled in, its environment, its view of the machine. */
export async function prepareLaunch(
  container: RunnableContainer,
  place: Place,
  ground: Ground,
): Promise<Launch> {
  if (ground.refusal) throw new CreateContainerError(ground.refusal);
  const written = commandOf(container);
  const variables = await resolveEnvironment(
    {
      pod: place.pod,
      container,
      addresses: { podIP: place.address, hostIP: ground.hostIP },
      allocatable: ground.allocatable,
    },
    place.references.findValues,
  );
  const mounts = await containerMounts(container, variables, (name) => place.volumes.sourceOf(name));
  const cwd = await workingDirectory(container, mounts, ground);
  const env = { ...baseEnvironment(place.hostname), ...variables };
  const [program = '', ...args] = written.map((word) => expand(word, variables));
  const places = { path: env.PATH, cwd, locate: (path: string) => locate(path, mounts) };
  const found = await findExecutable(program, places);
  if (!found) throw new StartError(`exec: "${program}": executable file not found in $PATH`);
  const { start, ...around } = await surroundings({ container, mounts, cwd, place, ground });
  return { argv: start([found, ...args]), env, ...around };
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
  readonly place: Place;
  readonly ground: Ground;
}

/** How to get to where the container is, and from which directory of this machine. */
type Around = Pick<Launch, 'cwd' | 'ownsPids' | 'enter'> & {
  readonly start: (command: readonly string[]) => string[];
};

async function surroundings({ container, mounts, cwd, place, ground }: Wanted): Promise<Around> {
  const { privateView, hasNames } = ground;
  assertMountable(mounts, privateView);
  const all = hasNames ? await withHosts(mounts, place.hostsFile) : mounts;
  const hostname = hasNames && !place.pod.spec.hostNetwork ? place.hostname : undefined;
  const made = async () => ({
    view: await makeView(all, join(place.dir, '.view', container.name)),
    hostname,
    cwd,
  });
  if (container.lifecycle?.preStop?.exec) {
    const processView = await ground.processView();
    if ('why' in processView) throw new CreateContainerError(`${NEEDS_PROCESS_ONE}: ${processView.why}`);
    const there = await made();
    const start = (command: readonly string[]) => processView.enter(there, command);
    return {
      start,
      enter: (command, first) => processView.join(first, cwd, command),
      cwd: '/',
      ownsPids: true,
    };
  }
  if ('why' in privateView || all.length === 0) return { start: same, enter: same, cwd, ownsPids: false };
  const there = await made();
  const enter = (command: readonly string[]) => privateView(there, command);
  return { start: enter, enter, cwd: '/', ownsPids: false };
}

/** Hooks address their program as process 1: without a namespace of its own that would be the machine's. */
const NEEDS_PROCESS_ONE =
  'a container with a preStop hook needs a PID namespace, so that process 1 is its own';

const same = (command: readonly string[]) => [...command];

function assertMountable(mounts: readonly Mount[], privateView: Ground['privateView']): void {
  const needed = mounts.filter(({ source, target }) => source !== target);
  if (needed.length === 0 || !('why' in privateView)) return;
  const targets = needed.map(({ target }) => target).join(', ');
  throw new CreateContainerError(
    `volumes cannot be mounted at ${targets}: ${privateView.why}; only a hostPath whose mountPath is its own path needs no mount`,
  );
}

/** A volume that the manifest mounts there comes before ours. */
async function withHosts(mounts: readonly Mount[], source: string): Promise<readonly Mount[]> {
  const target = await withoutLinks(HOSTS);
  const isTaken = mounts.some((mount) => mount.target === target);
  return isTaken ? mounts : [...mounts, { target, source, readOnly: false }];
}

/** A `workingDir` is a place in an image; where neither this machine nor a volume has it, the default serves. */
async function workingDirectory(
  { workingDir }: RunnableContainer,
  mounts: readonly Mount[],
  { workdir }: Ground,
): Promise<string> {
  if (!workingDir) return workdir;
  const wanted = resolve(workdir, workingDir);
  const found = await stat(locate(wanted, mounts)).catch(() => undefined);
  return found?.isDirectory() ? wanted : workdir;
}
