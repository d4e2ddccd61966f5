/** The log on the store is not what an appender left there: nothing is added to it. */
export class LogDamagedError extends Error {
  override readonly name = 'LogDamagedError';
  readonly remedy = '`signalbox audit verify` lists everything that is wrong with the archive';
  readonly key: string;
  readonly expected: string;
  readonly found: string;

  constructor(key: string, expected: string, found: string, options?: { readonly cause?: unknown }) {
    super(`${key}: expected ${expected}, found ${found}`, options);
    this.key = key;
    this.expected = expected;
    this.found = found;
  }
}

/** A key cannot be read, or is not the one that signs this log. */
export class LogKeyError extends Error {
  override readonly name = 'LogKeyError';
  readonly remedy: string | undefined;

  constructor(
    message: string,
    { remedy, cause }: { readonly remedy?: string; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.remedy = remedy;
  }
}
