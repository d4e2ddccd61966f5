import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { baseEnvironment } from './base-environment.ts';
import { resolveEnvironment } from './environment.ts';
import { findExecutable } from './executable.ts';
import { expand } from './expansion.ts';
import type { RunnableContainer } from './fields.ts';
import type { Ground } from './ground.ts';
import type { Place } from './place.ts';
import type { Launch } from './process.ts';

/** The container can never be created as it stands; reason and message as its waiting state shows them. */
export class CreateContainerError extends Error {
  override readonly name = 'CreateContainerError';
}

/** The container was created, but its command cannot be started: it has ended before it began. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What to start for a container: its command with all variables filled in, its environment and its directory. */
export async function prepareLaunch(
  container: RunnableContainer,
  place: Place,
  ground: Ground,
): Promise<Launch> {
  if (ground.refusal) throw new CreateContainerError(ground.refusal);
  if (!container.command?.length) {
    throw new CreateContainerError(
      `no command specified: the local node runs no images, so container "${container.name}" needs a command`,
    );
  }
  const variables = await resolveEnvironment(
    {
      pod: place.pod,
      container,
      addresses: { podIP: place.address, hostIP: ground.hostIP },
      allocatable: ground.allocatable,
    },
    place.findValues,
  );
  const env = { ...baseEnvironment(place.hostname), ...variables };
  const cwd = await workingDirectory(container, ground);
  const command = [...container.command, ...(container.args ?? [])].map((word) => expand(word, variables));
  return { argv: await wrapped(command, { env, cwd, place, ground }), env, cwd };
}

async function wrapped(
  [program = '', ...args]: string[],
  { env, cwd, place, ground }: { env: Record<string, string>; cwd: string; place: Place; ground: Ground },
): Promise<string[]> {
  const found = await findExecutable(program, env.PATH, cwd);
  if (!found) throw new StartError(`exec: "${program}": executable file not found in $PATH`);
  const command = [found, ...args];
  return ground.privateHosts?.({ hosts: place.hostsFile, hostname: place.hostname }, command) ?? command;
}

/** A `workingDir` is a place in an image; where this machine has no such directory, the default serves. */
async function workingDirectory({ workingDir }: RunnableContainer, { workdir }: Ground): Promise<string> {
  if (!workingDir) return workdir;
  const wanted = resolve(workdir, workingDir);
  const exists = await stat(wanted).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return exists ? wanted : workdir;
}
