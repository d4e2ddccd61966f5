export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Returns undefined if the file, or a directory above it, does not exist. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
