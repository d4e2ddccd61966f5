/** What the settings ask for cannot be, or would let others do what they may not. */
export class ConsoleSettingsError extends Error {
  override readonly name = 'ConsoleSettingsError';
  readonly code = 'Usage';
  readonly remedy: string;

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.remedy = remedy;
  }
}
