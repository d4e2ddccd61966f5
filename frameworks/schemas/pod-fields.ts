import { z } from 'zod';
import { container, podSpec, templateMetadata } from '../fields/manifest-schema.ts';

/**
 * Schema of a pod template for editors and typed manifests. It adds fields that many manifests have to those that
 * signalbox checks. The API server knows the others, so any field is allowed.
 */

const anyObject = z.record(z.string(), z.unknown());
const anyObjects = z.array(anyObject);

const editedContainer = container
  .extend({
    workingDir: z.string().optional().describe('Directory in which the program starts.'),
    envFrom: anyObjects.optional().describe('ConfigMaps and Secrets whose keys become variables.'),
    imagePullPolicy: z
      .enum(['Always', 'IfNotPresent', 'Never'])
      .optional()
      .describe('When the image is pulled.'),
    volumeMounts: z
      .array(
        z
          .looseObject({
            name: z.string().describe('Name of the volume.'),
            mountPath: z.string().describe('Where the container sees it.'),
            readOnly: z.boolean().optional().describe('Whether the container may only read it.'),
            subPath: z.string().optional().describe('A folder inside of the volume.'),
          })
          .meta({ id: 'VolumeMount', description: 'Where a container sees a volume.' }),
      )
      .optional()
      .describe('Volumes of the pod that the container sees.'),
    securityContext: anyObject.optional().describe('User, groups and capabilities.'),
  })
  .meta({ id: 'Container', description: 'A container, with any field that Kubernetes knows.' });

const volume = z.looseObject({ name: z.string().describe('Name of the volume.') }).meta({
  id: 'Volume',
  description: 'A volume of the pod: name and one source, e.g. persistentVolumeClaim.',
});

const spec = podSpec
  .extend({
    containers: z
      .array(editedContainer)
      .min(1)
      .describe('Containers; the one with the kind’s name, else the first, runs the program.'),
    initContainers: z.array(editedContainer).optional().describe('Containers that run before the others.'),
    restartPolicy: z
      .enum(['Always', 'OnFailure', 'Never'])
      .optional()
      .describe('Decides only for a PaddleJob of paddle-operator; for other kinds, the role decides.'),
    nodeSelector: z.record(z.string(), z.string()).optional().describe('Labels that a node must have.'),
    tolerations: anyObjects.optional().describe('Taints that the pods tolerate.'),
    affinity: anyObject.optional().describe('Rules for the choice of nodes.'),
    volumes: z.array(volume).optional().describe('Volumes that containers can mount.'),
    serviceAccountName: z.string().optional().describe('Service account of the pods.'),
    schedulerName: z
      .string()
      .optional()
      .describe('Scheduler of the pods; it also chooses the gang scheduler.'),
    priorityClassName: z.string().optional().describe('Priority class of the pods.'),
    terminationGracePeriodSeconds: z
      .int()
      .min(0)
      .optional()
      .describe('Seconds between SIGTERM and SIGKILL; default: 30.'),
    imagePullSecrets: anyObjects.optional().describe('Secrets for the registry of the images.'),
    hostNetwork: z.boolean().optional().describe('The pods use the network of their node.'),
    securityContext: anyObject.optional().describe('User and groups of all containers.'),
  })
  .meta({ id: 'PodSpec', description: 'The pod, with any field that Kubernetes knows.' });

export const podTemplateOfEditors = z
  .looseObject({
    metadata: templateMetadata.optional().describe('Labels and annotations of the pods.'),
    spec: spec.describe('The pod.'),
  })
  .meta({ id: 'PodTemplate', description: 'The template of the pods of a role.' });

/** Objects that may have any further field. */
export const OPEN_OBJECTS: ReadonlySet<string> = new Set([
  ...['PodSpec', 'PodMetadata', 'Container', 'EnvVar', 'ContainerPort', 'ResourceRequirements'],
  ...['Volume', 'VolumeMount', 'PatchedItem', 'PatchedVolumeMount'],
  ...['ReferencedObject', 'ReferencedMetadata'],
]);
