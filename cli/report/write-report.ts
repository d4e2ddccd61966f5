import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage } from '../../language/error-message.ts';
import { note } from '../print/output.ts';
import { UsageError } from '../shell/errors.ts';

/** Writes a report to a file, or to standard output. */
export async function writeReport(text: string, out: string): Promise<void> {
  if (out === '-') {
    await new Promise<void>((done, failed) => {
      process.stdout.write(text, (error) => (error ? failed(error) : done()));
    });
    return;
  }
  const path = resolve(out);
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw new UsageError(`The report cannot be written to ${path}: ${errorMessage(cause)}.`, {
      cause,
      remedy: 'Name another file with --out, or - for standard output.',
    });
  }
  note(`${path} (${sizeText(Buffer.byteLength(text))})`);
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
