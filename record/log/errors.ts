/** The log on the store is not what an appender left there: nothing is added to it. */
export class LogDamagedError extends Error {
  override readonly name = 'LogDamagedError';
  readonly code = 'LogDamaged';
  readonly remedy: string;
  readonly key: string;
  readonly expected: string;
  readonly found: string;

  constructor(key: string, expected: string, found: string, { cause, remedy }: DamageDetails = {}) {
    super(`${key}: expected ${expected}, found ${found}`, cause === undefined ? undefined : { cause });
    this.remedy = remedy ?? '`signalbox audit verify` lists everything that is wrong with the archive.';
    this.key = key;
    this.expected = expected;
    this.found = found;
  }
}

interface DamageDetails {
  readonly cause?: unknown;
  readonly remedy?: string;
}

/** A key cannot be read, or is not the one that signs this log. */
export class LogKeyError extends Error {
  override readonly name = 'LogKeyError';
  readonly code = 'LogKey';
  readonly remedy: string | undefined;

  constructor(
    message: string,
    { remedy, cause }: { readonly remedy?: string; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.remedy = remedy;
  }
}
