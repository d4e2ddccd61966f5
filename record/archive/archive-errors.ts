/** An archive cannot be read. The message names the file. */
export class ArchiveError extends Error {
  override readonly name: string = 'ArchiveError';
  readonly code: string = 'Archive';
  /** The next step. */
  readonly remedy: string;

  constructor(message: string, { remedy, cause }: { readonly remedy: string; readonly cause?: unknown }) {
    super(message, { cause });
    this.remedy = remedy;
  }
}

/** A file of an archive is missing, was cut, or was changed. */
export class DamagedArchiveError extends ArchiveError {
  override readonly name = 'DamagedArchiveError';
  override readonly code = 'ArchiveDamaged';

  constructor(ref: string, what: string, cause?: unknown) {
    super(`${ref}: ${what}.`, {
      cause,
      remedy:
        'The archive was damaged or changed after it was written; `signalbox audit verify` finds everything that was. Restore the file from a backup.',
    });
  }
}

/** An archive has a form that this version does not know. */
export class UnknownArchiveError extends ArchiveError {
  override readonly name = 'UnknownArchiveError';
  override readonly code = 'ArchiveVersion';

  constructor(ref: string, expected: string, got: string) {
    super(`${ref}: expected schema ${expected}, got ${got}.`, {
      remedy: 'A later version of signalbox wrote it; read it with that version or a newer one.',
    });
  }
}

/** An archive in the store was written without the archive's key. */
export class ForeignArchiveError extends ArchiveError {
  override readonly name = 'ForeignArchiveError';
  override readonly code = 'ArchiveForeign';

  constructor(ref: string) {
    super(
      `a program without the archive's key wrote ${ref}: find out who, and remove it; the job is then archived`,
      { remedy: 'docs/archive.md says what counts in a store.' },
    );
  }
}
