import { errorMessage } from '../language/error-message.ts';

/** Does what a script does. An error is told in one line, and sets the exit code. */
export async function runScript(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    console.error(`error: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}
