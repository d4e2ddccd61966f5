import type { SignalboxError } from '../../client/errors/signalbox-error.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';

/** Recognises an error of the client without its class, which would load Temporal's client before it is needed. */
export const hasCode = <E extends SignalboxError>(error: unknown, code: E['code']): error is E =>
  errorCode(error) === code;

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  readonly code: string = 'Usage';
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

/** No archive is configured, or there is none where the settings say. */
export class NoArchiveError extends UsageError {
  override readonly name = 'NoArchiveError';
}

/** The archive does not know a job. */
export class NotArchivedError extends UsageError {
  override readonly name = 'NotArchivedError';
  override readonly code = 'NotArchived';
}

/** All invalid flags and environment variables at once. */
export class SettingsError extends UsageError {
  override readonly name = 'SettingsError';
}

/** Payloads were written with a data converter that this process does not have. */
class PayloadEncodingError extends UsageError {
  override readonly name = 'PayloadEncodingError';

  constructor(encoding: string, cause: unknown) {
    const remedy = 'set SIGNALBOX_DATA_CONVERTER to the module with which the workers write them';
    super(`Payloads of Temporal have the encoding ${encoding}, which nothing here reads: ${remedy}.`, {
      cause,
    });
  }
}

/** Temporal's library says of encrypted payloads only that their encoding is unknown. Returns other errors as they are. */
export async function withEncodingExplained(error: unknown): Promise<unknown> {
  const encoding = /^Unknown encoding: (.+)$/.exec(errorMessage(error))?.[1];
  if (encoding === undefined) return error;
  const { ValueError } = await import('@temporalio/common');
  return error instanceof ValueError ? new PayloadEncodingError(encoding, error) : error;
}

/** Formats the message and the remedy; adds the stack only if `debug` is set. */
export function explainError(error: unknown, { debug }: { debug: boolean }): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const remedy = remedyOf(error);
  const text = `error: ${error.message}${remedy === undefined ? '' : `\n${remedy}`}`;
  return debug ? `${text}\n${stacks(error)}` : text;
}

export const remedyOf = (error: unknown): string | undefined =>
  error instanceof Error && 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : undefined;

function stacks(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stacks(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
