/**
 * The code of an error, which says what it is: one of Node (`ENOENT`), or of a class here that others must recognise
 * without loading it.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a signal ended the work. The standard has only this name: classes and codes differ between Node and undici. */
export const isAbortError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';
