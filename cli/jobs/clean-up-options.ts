import type { CleanUpOptions } from '../../client/servers/client-settings.ts';
import { note } from '../print/output.ts';

/** Returns how long a new job waits for its name, from `--clean-up-timeout`; what it waits for is printed. */
export const cleanUpOptions = ({ cleanUpTimeout }: { readonly cleanUpTimeout?: number }): CleanUpOptions => ({
  ...(cleanUpTimeout === undefined ? {} : { cleanUpTimeout: cleanUpTimeout * 1_000 }),
  onCleanUp: note,
});
