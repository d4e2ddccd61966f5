import { z } from 'zod';

export const fault = z.object({
  path: z.string().describe('Where it is, e.g. `spec.runPolicy.backoffLimit`.'),
  expected: z.string().describe('What was expected there.'),
  got: z.string().describe('The value found.'),
  isUnknown: z
    .literal(true)
    .optional()
    .describe('Nothing reads the field; where unknown fields are accepted, it is no fault.'),
});
