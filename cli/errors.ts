/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  readonly remedy: string | undefined;

  constructor(message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.remedy = options.remedy;
  }
}

/** A file does not exist, is neither YAML nor JSON, or contains no job. */
export class ManifestFileError extends UsageError {
  override readonly name = 'ManifestFileError';
}

/** The archive does not know a job. */
export class NotArchivedError extends UsageError {
  override readonly name = 'NotArchivedError';
}

/** All invalid flags and environment variables at once. */
export class SettingsError extends UsageError {
  override readonly name = 'SettingsError';
}

/** Formats the message and the remedy; adds the stack only if `debug` is set. */
export function explainError(error: unknown, { debug }: { debug: boolean }): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const remedy = 'remedy' in error && typeof error.remedy === 'string' ? `\n${error.remedy}` : '';
  if (!debug) return `error: ${error.message}${remedy}`;
  return `error: ${error.message}${remedy}\n${stacks(error)}`;
}

function stacks(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stacks(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
