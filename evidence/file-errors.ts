import { errorCode } from '../language/error-code.ts';

/** Returns undefined if the file, or a directory above it, does not exist. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
