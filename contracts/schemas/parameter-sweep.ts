import { z } from 'zod';
import { LARGEST_AT_MOST } from '../parameter-sweep.ts';

/** Input of the workflow `parameterSweep`. */
export const parameterSweepSchema = z.object({
  manifest: z.record(z.string(), z.unknown()).describe('The manifest of each trial, without its values.'),
  set: z
    .record(z.string(), z.array(z.unknown()).min(1))
    .refine((set) => Object.keys(set).length > 0, { error: 'at least one parameter' })
    .describe('The values of each parameter.'),
  atMost: z.int().min(1).max(LARGEST_AT_MOST).optional().describe('How many trials run at once.'),
  rerun: z.boolean().optional().describe('Run completed trials again.'),
  stopOnFailure: z.boolean().optional().describe('Stop all when a trial has Failed.'),
  why: z.string().optional().describe('Why; recorded with each trial.'),
});
