import { z } from 'zod';

/** The job that a record is about. */
export const jobOfRecord = z
  .object({
    kind: z.string().describe('Kind of the job.'),
    namespace: z.string().describe('Namespace of the job.'),
    name: z.string().describe('Name of the job.'),
  })
  .meta({ id: 'RecordedJob', description: 'The job of a record.' });
