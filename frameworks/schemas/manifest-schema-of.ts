import { z } from 'zod';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { GANG_CHOICES } from '../../contracts/training-job.ts';
import { metadata } from '../fields/manifest-schema.ts';
import { API_SERVER_METADATA } from '../fields/unknown-fields.ts';
import type { Framework, RoleRules } from '../model/framework.ts';
import { podTemplateOfEditors } from './pod-fields.ts';
import { ROLES_SUFFIX } from './roles-in-any-case.ts';

/**
 * Returns the schema of a whole manifest, from the same parts that `parseManifest` checks one by one. It cannot express
 * rules that span several fields.
 */
export function manifestSchemaOf(framework: Framework, title: string): z.ZodObject {
  const { apiVersion, kind } = framework;
  return z.looseObject({
    apiVersion: z.literal(apiVersion).describe('API group and version of the kind.'),
    kind: z.literal(kind).describe('Kind of the job.'),
    metadata: metadataWithRest().describe('Name, namespace, labels and annotations of the job.'),
    spec: schemaOfSpec(framework, title).describe('What the job runs.'),
    status: z.unknown().optional().describe('Ignored: the status that another operator wrote.'),
  });
}

const generateName = z
  .string()
  .describe('What the name begins with, if the manifest has none; for a schedule, the names of its jobs.');

const annotations = z
  .object({
    [ANNOTATIONS.policy]: z.string().optional().describe('How failures are handled: YAML; docs/policy.md.'),
    [ANNOTATIONS.gang]: z
      .enum(GANG_CHOICES)
      .optional()
      .describe('The gang scheduler of the job; default: that of the worker.'),
    [ANNOTATIONS.requestedBy]: z
      .string()
      .optional()
      .describe('For whom the job is run, e.g. if a pipeline submits it; recorded, not checked.'),
    [ANNOTATIONS.waitForMaster]: z
      .string()
      .optional()
      .describe('Only for PyTorchJob: an image with nslookup, in which workers wait for the master.'),
    [ANNOTATIONS.inputs]: z
      .string()
      .optional()
      .describe('What the job reads: a YAML list of name, uri, digest; docs/attestation.md.'),
    [ANNOTATIONS.outputs]: z
      .string()
      .optional()
      .describe('What the job makes: a YAML list of name, uri, digest; docs/attestation.md.'),
  })
  .catchall(z.string())
  .meta({ id: 'JobAnnotations', description: 'Settings of signalbox, and annotations of other programs.' });

/** The API server writes further fields, which `kubectl get -o yaml` prints. */
function metadataWithRest() {
  const known = Object.keys(metadata.shape);
  const rest = API_SERVER_METADATA.filter((name) => !known.includes(name)).map((name) => [
    name,
    z.unknown().optional().describe('Ignored: the API server sets it.'),
  ]);
  return metadata
    .extend({
      ...Object.fromEntries(rest),
      generateName: generateName.optional(),
      annotations: annotations.optional().describe('Annotations of the job.'),
    })
    .meta({ id: 'JobMetadata', description: 'Name, namespace, labels and annotations of the job.' });
}

function schemaOfSpec({ dialect, options, replicaSpecs, roles, kind }: Framework, title: string) {
  const ofRoles = Object.fromEntries(
    roles.map((rules) => [rules.name, roleSchema(dialect.role, rules, title)] as const),
  );
  const inSpec = (dialect.spec as unknown as z.ZodObject).extend(options.shape);
  const spec = replicaSpecs
    ? inSpec.extend({ [replicaSpecs]: schemaOfRoles(ofRoles, kind, title) })
    : inSpec.extend(ofRoles);
  return spec.meta({ id: `${title}Spec`, description: `What a ${kind} runs.` });
}

const schemaOfRoles = (roles: Readonly<Record<string, z.ZodType>>, kind: string, title: string) =>
  z
    .looseObject(roles)
    .meta({ id: `${title}${ROLES_SUFFIX}`, description: `The roles of a ${kind}.`, minProperties: 1 })
    .describe('The roles, whose names may be in any case; at least one.');

function roleSchema(given: z.ZodType, rules: RoleRules, title: string) {
  const role = given as unknown as z.ZodObject<{ replicas: z.ZodInt | z.ZodOptional<z.ZodInt> }>;
  const { name, required, defaultReplicas = 1, defaultRestartPolicy, restartPolicies } = rules;
  const schema = role
    .extend({
      replicas: replicasOf(role.shape.replicas, rules).describe(
        `Number of pods of the role${isOptional(role.shape.replicas) ? `; default: ${defaultReplicas}` : ''}.`,
      ),
      template: podTemplateOfEditors.describe('The template of the pods.'),
      ...(restartPolicies
        ? {
            restartPolicy: z
              .enum(restartPolicies)
              .optional()
              .describe(`Which failures are retried; default: ${defaultRestartPolicy}.`),
          }
        : {}),
    })
    .meta({ id: `${title}${capitalised(name)}`, description: `The role ${name}.` });
  return required ? schema : schema.optional();
}

/** A role whose default is too small must set its replicas. */
function replicasOf(given: z.ZodType, { minReplicas, maxReplicas, defaultReplicas = 1 }: RoleRules) {
  const { maxValue } = (given instanceof z.ZodOptional ? given.unwrap() : given) as z.ZodInt;
  const bounded = z
    .int()
    .min(minReplicas)
    .max(maxReplicas ?? Number(maxValue));
  return isOptional(given) && defaultReplicas >= minReplicas ? bounded.optional() : bounded;
}

const isOptional = (schema: z.ZodType) => schema instanceof z.ZodOptional;

const capitalised = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}`;
