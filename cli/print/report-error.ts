import { explainError, withEncodingExplained } from '../shell/errors.ts';
import { type Exit, exitOfError } from '../shell/exit-codes.ts';
import { note } from './output.ts';

/** Prints an error. Returns how the process is to exit. */
export async function reportError(
  thrown: unknown,
  { debug = false }: { readonly debug?: boolean },
): Promise<Exit> {
  const error = await withEncodingExplained(thrown);
  note(explainError(error, { debug }));
  return exitOfError(error);
}
