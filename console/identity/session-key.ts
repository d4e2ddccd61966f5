import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../language/error-message.ts';
import { ConsoleSettingsError } from '../settings-error.ts';

const LEAST_BYTES = 32;

/** The key of sessions and forms: of a file that several processes share, or of this process alone. */
export async function sessionKey(file: string | undefined): Promise<Buffer> {
  if (file === undefined) return randomBytes(LEAST_BYTES);
  const key = await secretIn(file, 'SIGNALBOX_CONSOLE_SESSION_KEY_FILE');
  if (key.length >= LEAST_BYTES) return Buffer.from(key);
  throw new ConsoleSettingsError(
    `SIGNALBOX_CONSOLE_SESSION_KEY_FILE: expected at least ${LEAST_BYTES} characters in ${file}, got ${key.length}.`,
    'Make one: `openssl rand -base64 48 > session-key`.',
  );
}

/** Reads a secret of a file, without the line break at its end. `variable`: which names the file. */
export async function secretIn(file: string, variable: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trimEnd();
  } catch (cause) {
    throw new ConsoleSettingsError(
      `${variable}: expected a file that can be read, got ${file}: ${errorMessage(cause)}.`,
      'Correct the path, or give this process the right to read it.',
      cause,
    );
  }
}
