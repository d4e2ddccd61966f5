/** The sandbox cannot continue; has a remedy for the user. */
export class SandboxError extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'SandboxError';
    this.remedy = remedy;
  }
}

/** "No space left on device" comes as an error code from Node and as a line of text from programs. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return true;
  return /no space left on device|ENOSPC|database or disk is full/i.test(String(error));
}

/** A separate class, because another attempt would fill the disk again. */
export class DiskFull extends SandboxError {}

export function diskFull(path: string, cause?: unknown): DiskFull {
  const remedy = 'free some space, or choose another disk with SIGNALBOX_CACHE (programs) or --dir (data)';
  return new DiskFull(`${path}: no space left on this disk`, remedy, { cause });
}
