export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** What was thrown, as an error: JavaScript can throw anything. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
