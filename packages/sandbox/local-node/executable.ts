import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

interface SearchOptions {
  readonly path?: string;
  readonly cwd?: string;
  /** Maps a path inside the container to one of this machine. */
  readonly locate?: (path: string) => string;
}

/** Finds the program of a command as execvp does. */
export async function findExecutable(
  command: string,
  { path = process.env.PATH ?? '', cwd = process.cwd(), locate = (same) => same }: SearchOptions = {},
): Promise<string | undefined> {
  const candidates = command.includes('/')
    ? [resolve(cwd, command)]
    : path.split(delimiter).map((dir) => join(isAbsolute(dir) ? dir : resolve(cwd, dir), command));
  for (const candidate of candidates) if (await isExecutable(locate(candidate))) return candidate;
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
