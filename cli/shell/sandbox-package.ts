import { isPackageMissing } from '../../client/errors/missing-package.ts';
import { UsageError } from './errors.ts';

/** Returns what of the sandbox is loaded; undefined in the published package, which has no sandbox. */
export async function ifInstalled<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isPackageMissing(error, '@signalbox/sandbox')) return undefined;
    throw error;
  }
}

export const sandboxNotInstalled = () =>
  new UsageError(
    'This installation of signalbox has no sandbox: the package @signalbox/sandbox is missing.',
    {
      remedy: 'Run the sandbox from a checkout of signalbox that has packages/sandbox.',
    },
  );
