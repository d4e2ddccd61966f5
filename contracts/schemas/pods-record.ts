import { z } from 'zod';
import { jobOfRecord } from './job-of-record.ts';

const time = (what: string) => z.string().optional().describe(`${what}, RFC 3339.`);

const container = z
  .object({
    name: z.string().describe('Name of the container.'),
    isInit: z.boolean().optional().describe('Whether it is an init container.'),
    isEphemeral: z
      .boolean()
      .optional()
      .describe('Whether it was added to the running pod, e.g. by kubectl debug.'),
    image: z.string().describe('Its image, as in the spec of the pod.'),
    imageID: z
      .string()
      .optional()
      .describe(
        'What the kubelet ran, e.g. `registry.example/train@sha256:...`; absent if it never started.',
      ),
    restarts: z.int().describe('Its restarts in place.'),
    startedAt: time('When it started'),
    endedAt: time('When it ended'),
    exitCode: z.int().optional().describe('Its exit code.'),
    reason: z.string().optional().describe('As Kubernetes reports it, e.g. OOMKilled, or why it waits.'),
  })
  .meta({ id: 'RecordedContainer', description: 'A container of a pod, and what it ran.' });

const recordedPod = z
  .object({
    pod: z.string().describe('Name of the pod.'),
    uid: z.string().describe('uid of the pod.'),
    role: z.string().describe('Role of the pod, in lower case.'),
    index: z.int().describe('Index of the pod in its role, from 0.'),
    attempt: z.int().describe('Attempt of the pod, from 1.'),
    node: z.string().optional().describe('Node of the pod.'),
    gpus: z
      .record(z.string(), z.int())
      .optional()
      .describe('GPUs that the pod requests, by resource, e.g. nvidia.com/gpu; absent if it requests none.'),
    gpuProduct: z
      .string()
      .optional()
      .describe('What the GPUs of its node are, by the label nvidia.com/gpu.product of the node.'),
    phase: z.string().describe('Phase of the pod.'),
    reason: z.string().optional().describe('Why the whole pod is in this phase, e.g. Evicted.'),
    createdAt: z.string().describe('When it was created, RFC 3339.'),
    scheduledAt: time('When it got a node'),
    startedAt: time('When the kubelet accepted it'),
    readyAt: time('Since when it was ready; absent if it no longer was'),
    endedAt: time('When its last container ended; absent if one still ran'),
    deletedAt: time('When its deletion was requested; absent if it was kept'),
    containers: z.array(container).describe('Its containers, init containers first.'),
  })
  .meta({ id: 'RecordedPod', description: 'A pod just before its deletion, or at the end of the job.' });

export const podsRecord = z.object({
  schema: z.literal('signalbox.dev/pods/v1').describe('Version of the format.'),
  job: jobOfRecord.describe('The job of the pods.'),
  anchorUid: z.string().describe('uid of the anchor: identifies the run of the job.'),
  attempt: z.int().describe('Attempt of the pods, from 1.'),
  takenAt: z.string().describe('When the pods were read, RFC 3339.'),
  pods: z.array(recordedPod).describe('The pods.'),
});
