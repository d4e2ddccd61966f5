import { z } from 'zod';
import type { Fault } from '../../../contracts/types.ts';

export const networkTopology = z
  .looseObject({
    mode: z
      .enum(['hard', 'soft'])
      .optional()
      .describe('Whether the pods wait for such a place; default: hard.'),
    highestTierAllowed: z
      .int()
      .min(0)
      .optional()
      .describe('The highest tier of a HyperNode that may hold them.'),
    highestTierName: z.string().min(1).optional().describe('The same, by the name of the tier.'),
  })
  .meta({ id: 'VolcanoNetworkTopology', description: 'What Volcano is asked for, by HyperNodes.' });
type NetworkTopology = z.infer<typeof networkTopology>;

export const checkTopology = (given: NetworkTopology | undefined): Fault[] =>
  given?.highestTierAllowed !== undefined && given.highestTierName !== undefined
    ? [
        {
          path: 'spec.networkTopology.highestTierName',
          expected: 'nothing beside highestTierAllowed',
          got: JSON.stringify(given.highestTierName),
        },
      ]
    : [];
