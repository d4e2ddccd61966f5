import { z } from 'zod';

/** What `signalbox queue -o json` prints. */

const amounts = (what: string) => z.record(z.string(), z.string()).describe(`${what}, by resource.`);

const job = z
  .object({
    namespace: z.string().describe('Its namespace.'),
    name: z.string().describe('Its name.'),
    priority: z.number().describe('The larger comes first.'),
    since: z
      .string()
      .describe('Since when it waits or, of a job that runs, since when it has its place; RFC 3339.'),
    needs: amounts('What all of its pods request together'),
    ends: z.string().optional().describe('By when it ends, as it declares; RFC 3339.'),
    position: z
      .int()
      .optional()
      .describe('Of a job that waits: from 1; absent if it could not start however much were free.'),
    reason: z.string().optional().describe('Of a job that waits: why, as a code.'),
    message: z.string().optional().describe('The same in words.'),
  })
  .meta({ id: 'LaneJob', description: 'A job that runs or waits in a lane.' });

const lane = z
  .object({
    lane: z.string().describe('Name of the lane.'),
    pool: z.string().describe('What it shares with other lanes.'),
    state: z
      .enum(['open', 'paused', 'drains', 'drained', 'faulty'])
      .describe(
        'Whether jobs may start; it drains until nothing runs in it any more; faulty: its configuration has a fault.',
      ),
    why: z.string().optional().describe('Why it is not open.'),
    weight: z.number().describe('Its part of the pool, in relation to the other lanes.'),
    priority: z.number().describe('Lanes of a pool are served in this order, the largest first.'),
    used: amounts('What its jobs have'),
    share: amounts('Its part of the pool by weight'),
    borrowed: amounts('How much it has beyond that'),
    nextStart: z
      .string()
      .optional()
      .describe(
        'When the first job that waits can start, if the ends of those that run are known; RFC 3339.',
      ),
    running: z.array(job).describe('What runs.'),
    waiting: z.array(job).describe('What waits, in its order.'),
  })
  .meta({ id: 'Lane', description: 'A lane, with what runs and what waits in it.' });

export const lanesAnswer = z.object({
  asOf: z.string().describe('When it was computed, RFC 3339.'),
  lanes: z.array(lane).describe('In the order of the configuration.'),
  unknown: z.array(z.string()).describe('What could not be read, each in a sentence.'),
});
