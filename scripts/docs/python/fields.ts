import { ANNOTATIONS, OWN_PREFIX } from '../../../contracts/labels.ts';
import { POD_TYPES, PODS_OF_KUBERNETES } from '../../../frameworks/fields/pod-types.ts';
import { USER_ANNOTATIONS } from '../../../frameworks/fields/unknown-fields.ts';
import type { JsonSchema } from '../../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../../frameworks/schemas/schema-documents.ts';
import { jsonSchemaOf } from '../../../frameworks/schemas/to-json-schema.ts';
import { asFields } from '../../../language/fields.ts';
import { assignment, header } from './source.ts';

/** Returns python/src/signalbox/models/fields.py: the fields that manifests may have, so that a client can find unknown ones. */
export function pythonFields(): string {
  const jobs = SCHEMA_DOCUMENTS.map(jsonSchemaOf).filter(({ properties }) => 'spec' in asFields(properties));
  const kinds = Object.fromEntries(jobs.map((job) => [kindOf(job), String(job.title)]));
  const types = Object.assign({}, ...jobs.map(typesOfJob), POD_TYPES);
  return `${header('the schemas of manifests and the models of pods')}
PODS_OF_KUBERNETES = "${PODS_OF_KUBERNETES}"

${assignment('PREFIX', OWN_PREFIX)}
${assignment('ANNOTATIONS', Object.values(ANNOTATIONS))}
${assignment('USER_ANNOTATIONS', USER_ANNOTATIONS)}
${assignment('TYPE_OF_KIND', kinds)}
${assignment('TYPES', types)}`;
}

function kindOf({ properties }: JsonSchema): string {
  const { apiVersion, kind } = asFields(properties);
  return `${asFields(apiVersion).const} ${asFields(kind).const}`;
}

/** In schemas it leaves its pods open. */
const POD_TEMPLATE = 'PodTemplate';

/** The types of a job in the notation of those of pods; required fields end with an exclamation mark. */
function typesOfJob(job: JsonSchema): Record<string, string> {
  const definitions = Object.entries(asFields(job.$defs) as Readonly<Record<string, JsonSchema>>);
  const closed = definitions.filter(
    ([name, { additionalProperties }]) => additionalProperties === false && name !== POD_TEMPLATE,
  );
  const objects = new Set(closed.map(([name]) => name));
  const typed = ([name, { properties, required = [] }]: readonly [string, JsonSchema]) => [
    name,
    Object.entries(asFields(properties) as Readonly<Record<string, JsonSchema>>)
      .map(([field, schema]) => {
        const mark = (required as readonly string[]).includes(field) ? '!' : '';
        return `${field}${mark}${typeOf(schema, objects)}`;
      })
      .join(' '),
  ];
  return Object.fromEntries([[String(job.title), job] as const, ...closed].map(typed));
}

function typeOf({ $ref, items }: JsonSchema, objects: ReadonlySet<string>): string {
  const name = String($ref ?? asFields(items).$ref).replace('#/$defs/', '');
  const type = name === POD_TEMPLATE ? 'PodTemplateSpec' : objects.has(name) ? name : undefined;
  if (!type) return '';
  return $ref ? `:${type}` : `:[${type}]`;
}
