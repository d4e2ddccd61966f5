import { z } from 'zod';

/** Schema of a field of an original API that does nothing here: it is refused, with what to do instead. */
export const unsupported = (instead: string) =>
  z
    .unknown()
    .refine((given) => given === undefined, { error: `nothing: ${instead}` })
    .optional()
    .describe(`Not supported: ${instead}.`);
