import type { Cause } from './types.ts';

/** Returns what logs say of a failure: the line, and whose it is where the cause names another pod, or several say it. */
export function errorText({ error, pod }: Pick<Cause, 'error' | 'pod'>): string | undefined {
  if (!error) return undefined;
  const others = error.pods - 1;
  if (others === 0 && error.pod === pod) return error.line;
  return `${error.line} (${error.pod}${others > 0 ? ` and ${others} more` : ''})`;
}
