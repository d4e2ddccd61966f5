import { z } from 'zod';
import { LONGEST_SECONDS } from '../messages.ts';

/** The arguments of the updates. Workflows have no zod: they check the arguments themselves. */

export const interventionSchema = z.object({
  by: z.string().optional().describe('Who asks; recorded.'),
  why: z.string().optional().describe('Why; recorded.'),
});

export const stopRequest = interventionSchema.extend({
  checkpoint: z
    .boolean()
    .optional()
    .describe('Requests a checkpoint first, as the policy says. Refused if the policy does not say how.'),
});

export const scaleRequest = interventionSchema.extend({
  role: z.string().describe('Name of the role, in any case.'),
  replicas: z.int().min(0).describe('The new number of replicas.'),
});

export const extendRequest = interventionSchema.extend({
  seconds: z.int().min(1).max(LONGEST_SECONDS).describe('Added to activeDeadlineSeconds.'),
});

export const holdRequest = interventionSchema.extend({
  seconds: z
    .int()
    .min(0)
    .max(LONGEST_SECONDS)
    .describe('How long failed pods are kept, from this request on; 0 keeps none.'),
});

const resourceIdentity = z
  .object({
    apiVersion: z.string().describe('As it was written.'),
    kind: z.string().describe('The kind of the job.'),
    uid: z.string().describe('metadata.uid'),
    generation: z.int().describe('metadata.generation'),
    annotations: z
      .string()
      .optional()
      .describe('Hash of its annotations that decide something; absent if it has none.'),
  })
  .meta({ id: 'ResourceIdentity', description: 'A state of the custom resource that a job was made from.' });

export const applyRequest = interventionSchema.extend({
  manifest: z
    .looseObject({})
    .meta({ id: 'AppliedManifest', description: 'The whole manifest. What it leaves out has its default.' }),
  resource: resourceIdentity
    .optional()
    .describe('The custom resource that the manifest is. Only the bridge sends it.'),
});

export const amendRequest = interventionSchema.extend({
  policy: z
    .record(z.string(), z.unknown())
    .describe('A part of a policy document, merged into the present one (RFC 7396): null removes a field.'),
});
