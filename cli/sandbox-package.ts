import { UsageError } from './errors.ts';

/** Returns what of the sandbox is loaded; undefined if this installation leaves the sandbox out: it is an optional dependency. */
export async function ifInstalled<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isNotInstalled(error)) return undefined;
    throw error;
  }
}

/** Of `import` and, in the published package's bundle, of `require`. */
const NOT_FOUND: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

function isNotInstalled(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return NOT_FOUND.includes(error.code) && error.message.includes("'@signalbox/sandbox'");
}

export const sandboxNotInstalled = () =>
  new UsageError(
    'This installation of signalbox has no sandbox: the package @signalbox/sandbox is missing.',
    {
      remedy: 'Run the sandbox from a checkout of signalbox that has packages/sandbox.',
    },
  );
