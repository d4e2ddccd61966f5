import { z } from 'zod';
import type { PodTemplate } from '../../contracts/kubernetes.ts';
import { quantitiesSchema } from '../../contracts/schemas/quantity.ts';
import { IMAGE_REFERENCE } from './image-reference.ts';

/**
 * The parts of a manifest that all kinds share. Of pod templates, only what signalbox relies on is checked; the API
 * server validates the rest.
 */

/** RFC 1035, as a Service is named after the job. */
export const JOB_NAME = {
  pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  expected: 'a DNS label: lower-case letters, digits and -, starting with a letter',
} as const;
/** RFC 1123, which allows a leading digit. */
export const LABEL_NAME = {
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  expected: 'a DNS label: lower-case letters, digits and -',
} as const;
const LABEL = LABEL_NAME.pattern;
const A_LABEL = LABEL_NAME.expected;
/** Of pods and Services. */
export const LONGEST_NAME = 63;
export const INT32 = 2_147_483_647;

export const count = z.int().min(0).max(INT32);
/** What Kubernetes defines and other parts check: its fields are not looked for here. */
export const ofKubernetes = <T>(schema: z.ZodType<T>): z.ZodType<T> => z.lazy(() => schema);

/** The number of pods that Kubernetes supports in one cluster. A typo must not exhaust a worker's memory. */
export const replicas = z.int().max(150_000);
const strings = z.record(z.string(), z.string());
const resources = z
  .looseObject({
    requests: quantitiesSchema.optional().describe('What the scheduler reserves, e.g. cpu: 4, memory: 8Gi.'),
    limits: quantitiesSchema.optional().describe('What it may use at most, e.g. nvidia.com/gpu: 8.'),
  })
  .meta({ id: 'ResourceRequirements', description: 'What a container requests and may use at most.' });

export const metadata = z
  .looseObject({
    name: z
      .string()
      .regex(JOB_NAME.pattern, { error: JOB_NAME.expected })
      .max(63)
      .describe(
        'Name of the job: a DNS label that starts with a letter. Pods and Services are named after it.',
      ),
    namespace: z
      .string()
      .regex(LABEL, { error: A_LABEL })
      .max(63)
      .optional()
      .describe('Kubernetes namespace of the job; default: that of the client or the worker.'),
    labels: strings.optional().describe('Labels of the job.'),
    annotations: strings
      .optional()
      .describe('Annotations of the job; those that begin with signalbox.dev/ are settings.'),
  })
  .meta({ id: 'JobMetadata', description: 'Name, namespace, labels and annotations of the job.' });

/** RFC 6335, as for port names of Services. */
const portName = z
  .string()
  .regex(/^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'lower-case letters, digits and single dashes' })
  .max(15);

export const envVar = z
  .looseObject({
    name: z.string().min(1).describe('Name of the variable.'),
    value: z.string().optional().describe('Its value; text, so quote numbers and booleans.'),
  })
  .meta({ id: 'EnvVar', description: 'A variable of a container.' });

const containerPort = z
  .looseObject({
    name: portName.optional().describe('Name of the port: lower-case letters, digits and single dashes.'),
    containerPort: z.int().min(1).max(65_535).describe('Number of the port.'),
    protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional().describe('Default: TCP.'),
  })
  .meta({ id: 'ContainerPort', description: 'A port of a container.' });

/** Kinds add to them: what the items have is left to the API server. */
const objects = z.array(z.looseObject({})).optional();

export const container = z
  .looseObject({
    name: z.string().regex(LABEL, { error: A_LABEL }).max(63).describe('Name of the container: a DNS label.'),
    image: z
      .string()
      .regex(IMAGE_REFERENCE.pattern, { error: IMAGE_REFERENCE.expected })
      .describe('Image of the container.'),
    command: z
      .array(z.string())
      .optional()
      .describe('The program and its first arguments; default: the image’s.'),
    args: z.array(z.string()).optional().describe('Arguments of the program; default: the image’s.'),
    env: z.array(envVar).optional().describe('Variables; one that signalbox sets too keeps this value.'),
    ports: z
      .array(containerPort)
      .optional()
      .describe('Ports; the one with the kind’s name is the rendezvous.'),
    envFrom: objects.describe('ConfigMaps and Secrets whose keys become variables.'),
    volumeMounts: objects.describe('Volumes of the pod that the container sees.'),
    resources: resources.optional().describe('What the container requests and may use at most.'),
  })
  .meta({ id: 'Container', description: 'A container, with any field that Kubernetes knows.' });

export const podSpec = z
  .looseObject({
    containers: z
      .array(container)
      .min(1)
      .describe('Containers; the one with the kind’s name, else the first, runs the program.'),
    initContainers: z.array(container).optional().describe('Containers that run before the others.'),
    volumes: objects.describe('Volumes that containers can mount.'),
    resources: resources.optional().describe('What the whole pod requests and may use at most.'),
    overhead: quantitiesSchema.optional().describe('What the runtime of the pod needs in addition.'),
  })
  .meta({ id: 'PodSpec', description: 'The pod, with any field that Kubernetes knows.' });

export const templateMetadata = z
  .looseObject({
    labels: strings.optional().describe('Labels of the pods.'),
    annotations: strings.optional().describe('Annotations of the pods.'),
  })
  .meta({ id: 'PodMetadata', description: 'Labels and annotations of the pods.' });

export const podTemplate = z.looseObject({
  metadata: templateMetadata.optional(),
  spec: podSpec,
}) as unknown as z.ZodType<PodTemplate>;

export const schedulingPolicy = z
  .looseObject({
    minAvailable: z
      .int()
      .min(1)
      .max(INT32)
      .optional()
      .describe('Pods that must be placed together; default: all, or minReplicas of an elastic job.'),
    queue: z.string().optional().describe('Queue of the gang scheduler.'),
    minResources: quantitiesSchema.optional().describe('Replaces what the pods request, by resource.'),
    priorityClass: z.string().optional().describe('Priority class of the group.'),
    scheduleTimeoutSeconds: count
      .optional()
      .describe('Seconds after which Coscheduling releases what it holds and tries again.'),
  })
  .meta({
    id: 'SchedulingPolicy',
    description: 'What the gang scheduler is asked for; docs/gang-scheduling.md.',
  });
export type SchedulingPolicy = z.infer<typeof schedulingPolicy>;
