import { z } from 'zod';
import { jobResourceOf } from '../../contracts/job-resources.ts';
import { apiGroupOf, type Resource } from '../../contracts/kubernetes.ts';
import { findRole } from '../../contracts/roles.ts';
import { type Fields, isFields } from '../../language/fields.ts';
import { MANAGERS, MULTI_KUEUE } from '../dialects/kubeflow-dialect.ts';
import { FRAMEWORKS } from '../kinds/registry.ts';
import type { Dialect } from '../model/dialect.ts';
import { type Framework, listOfRoles } from '../model/framework.ts';
import type { KindReferences } from '../model/kind-references.ts';
import type { RequestObjects } from '../model/resource-customs.ts';
import type { JsonSchema } from './json-schema.ts';
import { OPAQUE, structuralSchemaOf } from './structural-schema.ts';

/** A CustomResourceDefinition. */
export interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Fields & { readonly names: Fields & { readonly kind: string; readonly plural: string } };
}

/** The resources of all kinds of jobs, in all their versions. */
export const JOB_RESOURCES = FRAMEWORKS.map(jobResourceOf);

/**
 * Returns a definition for each kind of job, with pod templates of any content: the API server checks those when pods are made,
 * and its schema of a pod would be a hundred times as long. One definition has all versions of a kind. Their objects are stored
 * as the first, and all versions have the same fields, so that none is lost.
 */
export function customResourceDefinitions(): readonly Definition[] {
  const kinds = Map.groupBy(FRAMEWORKS, ({ apiVersion, kind }) => `${kind} ${apiGroupOf(apiVersion)}`);
  return [...kinds.values()].map(definitionOf);
}

/** Returns the definitions of the objects that manifests name, and of those by which people ask something of jobs. */
export const definitionsBesideJobs = (): readonly Definition[] =>
  FRAMEWORKS.flatMap(({ references, resource }) => [
    ...(references ? references.resources.map((one) => ofReferences(one, references)) : []),
    ...(resource?.requests ? [ofRequests(resource.requests)] : []),
  ]);

const ofRequests = ({ resource, fields }: RequestObjects): Definition =>
  ofObjects(resource, {
    ...{ type: 'object', description: 'Asks something of a job; deleted once it did.' },
    properties: { ...OF_OBJECTS, ...fields },
  });

/** What their templates may have is left to the parser of the jobs that name them. */
function ofReferences(resource: Resource, { spec }: KindReferences): Definition {
  const { $defs, ...generated } = z.toJSONSchema(spec, { io: 'input', unrepresentable: 'any' });
  return ofObjects(resource, {
    ...{ type: 'object', description: 'What jobs that name it are made from.', required: ['spec'] },
    properties: {
      ...OF_OBJECTS,
      spec: withTemplates(structuralSchemaOf(generated as JsonSchema, $defs as Fields)),
    },
  });
}

function ofObjects({ apiVersion, kind, plural, namespaced }: Resource, schema: JsonSchema): Definition {
  const [group, name] = apiVersion.split('/');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [{ name, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const OF_OBJECTS = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object' },
};

function definitionOf(versions: readonly Framework[]): Definition {
  const [first] = versions as readonly [Framework];
  const { kind } = first;
  const { plural } = jobResourceOf(first);
  const group = apiGroupOf(first.apiVersion);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        ...{ kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
        ...(first.resource?.shortNames ? { shortNames: first.resource.shortNames } : {}),
        categories: ['all', 'training'],
      },
      scope: 'Namespaced',
      versions: versions.map((version) => ({
        name: version.apiVersion.split('/')[1],
        served: true,
        storage: version === first,
        subresources: subresourcesOf(first),
        additionalPrinterColumns: columnsOf(first),
        schema: { openAPIV3Schema: schemaOf(versions, version) },
      })),
    },
  };
}

const COLUMNS = [
  { name: 'State', type: 'string', jsonPath: '.status.phase' },
  { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
  { name: 'Attempt', type: 'integer', jsonPath: '.status.attempt' },
  { name: 'Progress', type: 'string', jsonPath: '.status.progress' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** Those of the original kind come first, and ours only in the wide form. */
const columnsOf = ({ resource }: Framework) =>
  resource
    ? [...resource.columns, ...COLUMNS.slice(1, -1).map((column) => ({ ...column, priority: 1 }))]
    : COLUMNS;

/** Whether workers can be counted and scaled, as training-operator's definitions say; those of mpi- and paddle-operator do not. */
export const hasScale = ({ dialect, roles, operatorName }: Framework): boolean =>
  dialect.volcano?.queue !== undefined &&
  findRole(roles, 'Worker') !== undefined &&
  !operatorName.startsWith('mpi');

function subresourcesOf(framework: Framework) {
  if (!hasScale(framework)) return { status: {} };
  return {
    status: {},
    scale: {
      specReplicasPath: `.spec.${framework.replicaSpecs}.Worker.replicas`,
      statusReplicasPath: '.status.replicaStatuses.Worker.active',
      labelSelectorPath: '.status.replicaStatuses.Worker.selector',
    },
  };
}

/**
 * Objects are converted by nothing but their apiVersion. Only the later version has the defaults of its fields, so that an object
 * shows by them in which version it was written (`writtenVersionOf`).
 */
function schemaOf(versions: readonly Framework[], version: Framework): JsonSchema {
  const specs = versions.map((one) => specOf(one, { withDefaults: one === version && one !== versions[0] }));
  const required = specs
    .map((spec) => spec.required as readonly string[])
    .reduce((all, some) => all.filter((name) => some.includes(name)));
  const properties = Object.assign({}, ...specs.map((spec) => spec.properties)) as Fields;
  return {
    type: 'object',
    description: `A ${version.kind}, which signalbox runs.`,
    required: ['spec'],
    properties: {
      ...OF_OBJECTS,
      spec: { type: 'object', description: `What a ${version.kind} runs.`, required, properties },
      status: statusSchema(version),
    },
  };
}

interface SpecSchema {
  readonly required: readonly string[];
  readonly properties: Fields;
}

function specOf(framework: Framework, options: { readonly withDefaults: boolean }): SpecSchema {
  const { dialect, references, options: own } = framework;
  const inSpec = (dialect.spec as unknown as z.ZodObject).extend({
    ...Object.fromEntries(Object.entries(dialect.withoutEffect).flatMap(fieldWithoutEffect)),
    ...Object.fromEntries(Object.entries(own.shape).filter(([name]) => !references?.fields.includes(name))),
  });
  const whole = references ? inSpec : inSpec.extend(rolesInSpec(framework));
  const { $defs, ...generated } = z.toJSONSchema(whole, { io: 'input', unrepresentable: 'any' });
  const spec = structuralSchemaOf(generated as JsonSchema, $defs as Fields);
  const properties = Object.fromEntries(
    Object.entries(spec.properties as Fields).map(([name, field]) => [
      name,
      refined(name, field as JsonSchema, { ...options, managedBy: dialect.managedBy }),
    ]),
  );
  return { required: (spec.required ?? []) as readonly string[], properties };
}

/** kubectl refuses fields that a definition does not have. */
const fieldWithoutEffect = ([path, why]: readonly [string, string]): readonly [string, z.ZodType][] =>
  path.includes('.') ? [] : [[path, z.unknown().optional().describe(`Accepted, ${why}.`)]];

function rolesInSpec(framework: Framework): Readonly<Record<string, z.ZodType>> {
  const { dialect, replicaSpecs, roles, roleOptions } = framework;
  const role = (dialect.role as unknown as z.ZodObject).extend({
    ...roleOptions?.shape,
    template: z.unknown().describe('The template of the pods.'),
  });
  const list = listOfRoles(framework);
  if (list) return { [list]: z.array(role).min(1).describe('The roles, in order; at least one.') };
  // The names of roles may be in any case.
  if (replicaSpecs) return { [replicaSpecs]: z.record(z.string(), role).describe('The roles.') };
  return Object.fromEntries(roles.map(({ name }) => [name, role.optional()]));
}

/** Programs read runPolicy without asking whether there is one, e.g. Kubeflow's SDK. */
function refined(
  name: string,
  field: JsonSchema,
  { withDefaults, managedBy }: { readonly withDefaults: boolean } & Pick<Dialect, 'managedBy'>,
): JsonSchema {
  const { default: given, ...others } = withTemplates(field);
  if (name === 'runPolicy') return { ...withManagers(others), default: {} };
  if (name === managedBy?.field) return managers([managedBy.operator, MULTI_KUEUE]);
  return withDefaults && given !== undefined ? { ...others, default: given } : others;
}

function withManagers(runPolicy: JsonSchema): JsonSchema {
  const properties = runPolicy.properties as Record<string, JsonSchema>;
  return { ...runPolicy, properties: { ...properties, managedBy: managers(MANAGERS) } };
}

/** A job of an unknown controller would stay without a status for ever. */
const managers = (names: readonly string[]): JsonSchema => ({
  description: `The controller of the job; ${MULTI_KUEUE} leaves it to another cluster.`,
  type: 'string',
  enum: names,
});

/** A template is an object of any content. */
function withTemplates(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, items } = schema;
  if (isFields(additionalProperties)) {
    return { ...schema, additionalProperties: withTemplates(additionalProperties) };
  }
  if (isFields(items)) return { ...schema, items: withTemplates(items) };
  if (!isFields(properties) || !isFields(properties.template)) return schema;
  const { description } = properties.template;
  return { ...schema, properties: { ...properties, template: { description, type: 'object', ...OPAQUE } } };
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };

const CONDITION = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    ...{ type: text, status: text, reason: text, message: text },
    ...{ lastTransitionTime: time, lastUpdateTime: time },
  },
};

const COUNTS = { type: 'object', ...OPAQUE };

function statusSchema({ resource, ...framework }: Framework): JsonSchema {
  return {
    type: 'object',
    description: 'Written by `signalbox bridge`.',
    properties: {
      ...(resource?.statusFields ?? kubeflowFields(framework)),
      ...{ phase: text, reason: text, message: text, progress: text, since: time, runId: text },
      warnings: { type: 'array', items: text },
      attempt: { type: 'integer' },
      appliedGeneration: { type: 'integer', format: 'int64' },
      appliedAnnotations: { type: 'boolean' },
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  };
}

function kubeflowFields({ replicaSpecs, roles }: Pick<Framework, 'replicaSpecs' | 'roles'>): Fields {
  const counts = Object.fromEntries(roles.map(({ name }) => [name, COUNTS]));
  return {
    conditions: { type: 'array', items: CONDITION },
    ...(replicaSpecs
      ? { replicaStatuses: { type: 'object', additionalProperties: COUNTS } }
      : { mode: text, ...counts }),
    ...{ startTime: time, completionTime: time, lastReconcileTime: time },
  };
}
