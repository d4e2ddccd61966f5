import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../language/error-message.ts';
import { keyKindIn } from '../../record/log/key-kind.ts';
import { UsageError } from '../shell/errors.ts';

/** Reads a file that the command line names. */
export async function readBytes(path: string): Promise<Buffer> {
  const key = keyKindIn(path);
  if (key) throw new UsageError(`expected the path of a file, got ${key} itself, which is not shown here`);
  try {
    return await readFile(path);
  } catch (cause) {
    throw new UsageError(`${path}: expected a file that can be read, got ${errorMessage(cause)}`, {
      cause,
    });
  }
}

export const readText = async (path: string): Promise<string> => (await readBytes(path)).toString('utf8');
