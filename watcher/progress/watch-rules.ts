import { z } from 'zod';
import type { WatchRules } from '../../contracts/policy.ts';
import { errorMessage } from '../../language/error-message.ts';
import { compilePattern } from '../../language/pattern.ts';

/** The rules for progress in a job's anchor. With a `fault` they cannot be parsed, and none apply. */
export type Watch = { readonly rules?: WatchRules; readonly fault?: string };

export function parseWatchRules(text: string | undefined): Watch {
  if (text === undefined) return {};
  try {
    const { success, data, error } = watchRules.safeParse(JSON.parse(text));
    return success ? { rules: data } : { fault: z.prettifyError(error) };
  } catch (error) {
    return { fault: errorMessage(error) };
  }
}

/** Validates the pattern once, here, and not at each line of a log. */
const pattern = z.string().superRefine((source, context) => {
  try {
    compilePattern(source);
  } catch (error) {
    context.addIssue(`expected an RE2 pattern, got ${source}: ${errorMessage(error)}`);
  }
});

const LONGEST_INTERVAL_MS = 3_600_000;

const sources = z.object({ annotation: z.string().min(1).optional(), log: pattern.optional() });

const watchRules = z.object({
  progress: sources.optional(),
  acknowledgedBy: sources.optional(),
  // Node's timers fire at once for times that are too long for them.
  everyMs: z.number().positive().max(LONGEST_INTERVAL_MS).optional(),
}) satisfies z.ZodType<WatchRules>;
