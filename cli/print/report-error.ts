import { explainError, withEncodingExplained } from '../shell/errors.ts';
import { type Exit, exitOfError } from '../shell/exit-codes.ts';
import { errorData, writeErrorData } from './error-data.ts';
import { note } from './output.ts';

interface Reporting {
  readonly debug?: boolean | undefined;
  /** Whether the command line asks for JSON. */
  readonly asJson?: boolean;
}

/** Prints an error. Returns how the process is to exit. */
export async function reportError(
  thrown: unknown,
  { debug = false, asJson = false }: Reporting,
): Promise<Exit> {
  const error = await withEncodingExplained(thrown);
  if (asJson) writeErrorData(errorData(error));
  if (!asJson || debug) note(explainError(error, { debug }));
  return exitOfError(error);
}
