import { z } from 'zod';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { REFERENCES } from '../../contracts/references.ts';
import { GANG_CHOICES } from '../../contracts/training-job.ts';
import { capitalised } from '../../language/capitalised.ts';
import { metadata } from '../fields/manifest-schema.ts';
import { API_SERVER_METADATA } from '../fields/unknown-fields.ts';
import { type Framework, listOfRoles, type RoleRules } from '../model/framework.ts';
import { podTemplateOfEditors } from './pod-fields.ts';
import { ROLES_SUFFIX } from './roles-in-any-case.ts';

/**
 * Returns the schema of a whole manifest, from the same parts that `parseManifest` checks one by one. It cannot express
 * rules that span several fields.
 */
export function manifestSchemaOf(framework: Framework, title: string): z.ZodObject {
  const { apiVersion, kind, references } = framework;
  return z.looseObject({
    apiVersion: z.literal(apiVersion).describe('API group and version of the kind.'),
    kind: z.literal(kind).describe('Kind of the job.'),
    metadata: metadataWithRest().describe('Name, namespace, labels and annotations of the job.'),
    spec: schemaOfSpec(framework, title).describe('What the job runs.'),
    ...(references ? { [REFERENCES]: objects } : {}),
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

const referencedMetadata = z.looseObject({ name: z.string().describe('Name of the object.') }).meta({
  id: 'ReferencedMetadata',
  description: 'Metadata of an object, with any field that Kubernetes knows.',
});

const referencedObject = z
  .looseObject({
    apiVersion: z.string().describe('API group and version of the object.'),
    kind: z.string().describe('Kind of the object.'),
    metadata: referencedMetadata.describe('Name of the object, and further metadata.'),
  })
  .meta({ id: 'ReferencedObject', description: 'An object that spec names, as a cluster has it.' });

const objects = z
  .array(referencedObject)
  .optional()
  .describe('Objects that spec names, as they are to be used; default: those of the cluster at submission.');

/** What a kind takes from other objects no manifest has. */
function schemaOfSpec(framework: Framework, title: string) {
  const { dialect, options, kind, references } = framework;
  const taken = references?.fields ?? [];
  const own = Object.entries(options.shape).filter(([field]) => !taken.includes(field));
  const inSpec = (dialect.spec as unknown as z.ZodObject).extend(Object.fromEntries(own));
  const spec = references ? inSpec : inSpec.extend(rolesInSpec(framework, title));
  return spec.meta({ id: `${title}Spec`, description: `What a ${kind} runs.` });
}

function rolesInSpec(framework: Framework, title: string): Readonly<Record<string, z.ZodType>> {
  const { replicaSpecs, roles, kind } = framework;
  const list = listOfRoles(framework);
  if (list) return { [list]: schemaOfList(framework, title).describe('The roles, in order; at least one.') };
  const ofRoles = Object.fromEntries(
    roles.map((rules) => [rules.name, roleSchema(framework.dialect.role, rules, title)] as const),
  );
  return replicaSpecs ? { [replicaSpecs]: schemaOfRoles(ofRoles, kind, title) } : ofRoles;
}

/** Of roles that say their own names. */
function schemaOfList({ dialect, roleOptions, kind }: Framework, title: string) {
  const role = (dialect.role as unknown as z.ZodObject).extend({
    ...roleOptions?.shape,
    template: podTemplateOfEditors.describe('The template of the pods.'),
  });
  return z.array(role.meta({ id: `${title}Role`, description: `A role of a ${kind}.` })).min(1);
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
