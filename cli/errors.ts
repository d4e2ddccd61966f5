/** The command line was understood by nobody. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  readonly remedy: string | undefined;

  constructor(message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.remedy = options.remedy;
  }
}

/** A file that is not there, is not YAML or JSON, or holds no job. */
export class ManifestFileError extends UsageError {
  override readonly name = 'ManifestFileError';
}

/** Flags or variables that make no sense, all of them at once. */
export class SettingsError extends UsageError {
  override readonly name = 'SettingsError';
}

/** One sentence, and what to do about it; the stack only where it was asked for. */
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
