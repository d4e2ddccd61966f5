import { z } from 'zod';
import type { PodTemplate } from '../contracts/kubernetes.ts';
import { CLEAN_POD_POLICIES, JOB_RESTART_POLICIES } from '../contracts/training-job.ts';

/**
 * The parts of a manifest that all kubeflow.org/v1 kinds share. Pod templates pass through unread, but for what
 * signalbox itself relies on: the API server is the judge of the rest.
 */

/** RFC 1035: a Service is named after the job. */
const DNS_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const INT32 = 2_147_483_647;

const count = z.int().min(0).max(INT32);
const strings = z.record(z.string(), z.string());
const quantity = z.union([z.string(), z.number()], { error: 'a quantity, e.g. 4 or 8Gi' });

export const metadata = z.looseObject({
  name: z
    .string()
    .regex(DNS_LABEL, { error: 'a DNS label: lower-case letters, digits and -, starting with a letter' })
    .max(63),
  namespace: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: 'a DNS label: lower-case letters, digits and -' })
    .max(63)
    .optional(),
  labels: strings.optional(),
  annotations: strings.optional(),
});

const container = z.looseObject({
  name: z.string().min(1),
  image: z.string().min(1),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string().min(1), value: z.string().optional() })).optional(),
  ports: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        containerPort: z.int().min(1).max(65_535),
        protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional(),
      }),
    )
    .optional(),
});

export const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels: strings.optional(), annotations: strings.optional() }).optional(),
  spec: z.looseObject({
    containers: z.array(container).min(1),
    initContainers: z.array(container).optional(),
  }),
}) as unknown as z.ZodType<PodTemplate>;

export const replicaSpec = z.looseObject({
  replicas: z.int().optional(),
  restartPolicy: z.enum(JOB_RESTART_POLICIES).optional(),
  template: podTemplate,
});

export const schedulingPolicy = z.looseObject({
  minAvailable: z.int().min(1).max(INT32).optional(),
  queue: z.string().optional(),
  minResources: z.record(z.string(), quantity).optional(),
  priorityClass: z.string().optional(),
  scheduleTimeoutSeconds: count.optional(),
});

export const runPolicy = z.looseObject({
  cleanPodPolicy: z.enum(CLEAN_POD_POLICIES).optional(),
  ttlSecondsAfterFinished: count.optional(),
  activeDeadlineSeconds: z.int().min(0).optional(),
  backoffLimit: count.optional(),
  schedulingPolicy: schedulingPolicy.optional(),
  suspend: z.boolean().optional(),
  managedBy: z.string().optional(),
});

export type RunPolicyFields = z.infer<typeof runPolicy>;
export type ReplicaSpec = z.infer<typeof replicaSpec>;
