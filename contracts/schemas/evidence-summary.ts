import { z } from 'zod';

export const evidenceSummary = z
  .object({
    pod: z.string().describe('Name of the pod.'),
    uid: z.string().describe('uid of the pod.'),
    role: z.string().describe('Role of the pod, in lower case.'),
    index: z.int().describe('Index of the pod in its role, from 0.'),
    attempt: z.int().describe('Attempt of the pod, from 1.'),
    node: z.string().optional().describe('Node of the pod.'),
    container: z.string().optional().describe('The container that failed.'),
    exitCode: z.int().optional().describe('Its exit code.'),
    signal: z.int().optional().describe('The signal that ended it.'),
    reason: z.string().optional().describe('As Kubernetes reports it, e.g. Error or OOMKilled.'),
    message: z.string().optional().describe('Termination message, or what Kubernetes says.'),
    ends: z.int().optional().describe('How often the container had ended in this pod, this end included.'),
    failedAt: z.string().optional().describe('When it failed, RFC 3339; absent if Kubernetes does not say.'),
    takenAt: z.string().describe('When the evidence was taken, RFC 3339.'),
    ref: z.string().optional().describe('URL of the record: `file:///...` or `s3://bucket/key`.'),
    errorLine: z
      .string()
      .optional()
      .describe('The line of its log that says best why, without what looks like a secret.'),
    signature: z.string().optional().describe('What kind of failure that line tells of; docs/evidence.md.'),
    step: z.number().optional().describe('The last step that its log shows.'),
    matches: z
      .array(z.int())
      .optional()
      .describe('Indices of the rules of the policy whose pattern matches.'),
    incomplete: z.string().optional().describe('What could not be captured, and why.'),
  })
  .meta({
    id: 'EvidenceSummary',
    description: 'Summary of a failed pod, taken before the pod is deleted.',
  });
