import { z } from 'zod';
import type { PodTemplate } from '../../contracts/kubernetes.ts';
import { parseQuantity } from '../../contracts/quantity.ts';

/**
 * The parts of a manifest that all kinds share. Of pod templates, only what signalbox relies on is checked; the API
 * server validates the rest.
 */

/** RFC 1035, as a Service is named after the job. */
const DNS_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
/** RFC 1123, which allows a leading digit. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const A_LABEL = 'a DNS label: lower-case letters, digits and -';
export const INT32 = 2_147_483_647;

export const count = z.int().min(0).max(INT32);
/** The number of pods that Kubernetes supports in one cluster. A typo must not exhaust a worker's memory. */
export const replicas = z.int().max(150_000);
const strings = z.record(z.string(), z.string());
const A_QUANTITY = 'a quantity >= 0, e.g. 4, 500m or 8Gi';
const quantity = z
  .union([z.string(), z.number()], { error: A_QUANTITY })
  .refine((amount) => (parseQuantity(amount)?.nanos ?? -1n) >= 0n, { error: A_QUANTITY });
const quantities = z.record(z.string(), quantity);
const resources = z.looseObject({ requests: quantities.optional(), limits: quantities.optional() });

export const metadata = z.looseObject({
  name: z
    .string()
    .regex(DNS_LABEL, { error: 'a DNS label: lower-case letters, digits and -, starting with a letter' })
    .max(63),
  namespace: z.string().regex(LABEL, { error: A_LABEL }).max(63).optional(),
  labels: strings.optional(),
  annotations: strings.optional(),
});

/** RFC 6335, as for port names of Services. */
const portName = z
  .string()
  .regex(/^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'lower-case letters, digits and single dashes' })
  .max(15);

const container = z.looseObject({
  name: z.string().regex(LABEL, { error: A_LABEL }).max(63),
  image: z.string().min(1),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string().min(1), value: z.string().optional() })).optional(),
  ports: z
    .array(
      z.looseObject({
        name: portName.optional(),
        containerPort: z.int().min(1).max(65_535),
        protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional(),
      }),
    )
    .optional(),
  resources: resources.optional(),
});

export const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels: strings.optional(), annotations: strings.optional() }).optional(),
  spec: z.looseObject({
    containers: z.array(container).min(1),
    initContainers: z.array(container).optional(),
    resources: resources.optional(),
    overhead: quantities.optional(),
  }),
}) as unknown as z.ZodType<PodTemplate>;

export const schedulingPolicy = z.looseObject({
  minAvailable: z.int().min(1).max(INT32).optional(),
  queue: z.string().optional(),
  minResources: quantities.optional(),
  priorityClass: z.string().optional(),
  scheduleTimeoutSeconds: count.optional(),
});
export type SchedulingPolicy = z.infer<typeof schedulingPolicy>;
