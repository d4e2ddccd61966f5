import { z } from 'zod';

/** What a log tells of steps. */
export const stepFields = {
  sentence: z.string().describe('What is known of them; of steps that cannot be read, what would show them.'),
  form: z
    .string()
    .optional()
    .describe('Which form its lines or its bar have; absent if no steps can be read.'),
  step: z.number().optional().describe('The last step, of the whole run.'),
  total: z.number().optional().describe('Of how many.'),
  epoch: z.number().optional().describe('The epoch, where the program tells it.'),
  at: z.string().optional().describe('When the log told the last one, RFC 3339.'),
  secondsPerStep: z.number().optional().describe('How long a step usually takes.'),
  isLate: z.literal(true).optional().describe('There was no step for longer than usual.'),
};
