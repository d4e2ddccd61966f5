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
  const { enter, from } = await surroundings({ container, mounts, cwd, place, ground });
  return { argv: enter([found, ...args]), env, cwd: from, enter };
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

/** How to get to where the container is, from which directory of this machine. */
async function surroundings({ container, mounts, cwd, place, ground }: Wanted): Promise<{
  enter: Launch['enter'];
  from: string;
}> {
  const { privateView, hasNames } = ground;
  const needed = mounts.filter(({ source, target }) => source !== target);
  if (typeof privateView !== 'function') {
    if (needed.length > 0) throw new CreateContainerError(refusalOf(needed, privateView.why));
    return { enter: (command) => [...command], from: cwd };
  }
  const all = hasNames ? await withHosts(mounts, place.hostsFile) : mounts;
  if (all.length === 0) return { enter: (command) => [...command], from: cwd };
  const view = await makeView(all, join(place.dir, '.view', container.name));
  const hostname = hasNames && !place.pod.spec.hostNetwork ? place.hostname : undefined;
  return { enter: (command) => privateView({ view, hostname, cwd }, command), from: '/' };
}

function refusalOf(mounts: readonly Mount[], why: string): string {
  const targets = mounts.map(({ target }) => target).join(', ');
  return `volumes cannot be mounted at ${targets}: ${why}; only a hostPath whose mountPath is its own path needs no mount`;
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
