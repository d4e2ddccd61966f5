import type { Stats } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { MountError } from './mount-error.ts';

interface HostPathType {
  readonly is: (found: Stats) => boolean;
  readonly noun: string;
  readonly create?: (path: string) => Promise<unknown>;
}

const createDirectory = (path: string) => mkdir(path, { recursive: true, mode: 0o755 });

/** The checks of each `type`. Without a type nothing is checked, and a missing path becomes a folder. */
const TYPES: Readonly<Record<string, HostPathType>> = {
  '': { is: () => true, noun: 'there', create: createDirectory },
  DirectoryOrCreate: { is: (found) => found.isDirectory(), noun: 'a directory', create: createDirectory },
  Directory: { is: (found) => found.isDirectory(), noun: 'a directory' },
  FileOrCreate: { is: (found) => found.isFile(), noun: 'a file', create: createFile },
  File: { is: (found) => found.isFile(), noun: 'a file' },
  Socket: { is: (found) => found.isSocket(), noun: 'a socket' },
  CharDevice: { is: (found) => found.isCharacterDevice(), noun: 'a character device' },
  BlockDevice: { is: (found) => found.isBlockDevice(), noun: 'a block device' },
};

/** Checks a path of this machine, and creates it if its type says so. The messages are the kubelet's. */
export async function prepareHostPath(path: string, type = ''): Promise<string> {
  const wanted = TYPES[type];
  if (!wanted) throw new MountError(`hostPath type check failed: unknown type ${type}`);
  const found = await stat(path).catch(() => undefined);
  if (found && !wanted.is(found)) throw failure(path, wanted);
  if (!found) await make(path, wanted);
  return path;
}

async function make(path: string, wanted: HostPathType): Promise<void> {
  if (!wanted.create) throw failure(path, wanted);
  await wanted.create(path).catch((error: Error) => {
    throw new MountError(`hostPath ${path}: ${error.message}`);
  });
}

async function createFile(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'a' });
  await chmod(path, 0o644);
}

function failure(path: string, { noun }: HostPathType): MountError {
  return new MountError(`hostPath type check failed: ${path} is not ${noun}`);
}
