import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { exactSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';

/** Documents whose types processes and programs share. */
const DOCUMENTS: readonly string[] = [
  ...['JobStatus', 'LedgerEntry', 'EvidenceRecord', 'PodsRecord', 'LanesAnswer', 'Fault', 'SuspendRequest'],
  ...['StopRequest', 'ScaleRequest', 'ExtendRequest', 'HoldRequest', 'AmendRequest', 'ApplyRequest'],
];

/** Parts that have a type elsewhere, and the file that has it. */
const IMPORTED: Readonly<Record<string, { readonly type: string; readonly from: string }>> = {
  JobCondition: { type: 'Condition', from: './kubernetes.ts' },
  ReasonCode: { type: 'ReasonCode', from: './reasons.ts' },
};

/** What several documents share has a sentence of its own. */
const DESCRIBED: Readonly<Record<string, string>> = {
  SuspendRequest: 'Who requests an intervention, and why.',
};

/** Types that have other names than their schemas, which the models of Python are named after. */
const NAMED: Readonly<Record<string, string>> = {
  ContainerState: 'ContainerStateEvidence',
  Lane: 'LaneAnswer',
  RecordedCondition: 'ConditionEvidence',
  SuspendRequest: 'Intervention',
};

/** Parts that are written where they are used. */
const INLINE: ReadonlySet<string> = new Set([
  ...['AppliedManifest', 'Budget', 'LedgerBudget', 'LedgerClosing', 'LedgerDigest', 'LedgerEffectEnd'],
  ...['LedgerPrincipal', 'LedgerProgress', 'LedgerRequestCause', 'LedgerSubmission', 'LedgerTimer'],
  ...['PodEvidence', 'RecordedJob', 'RecordedTaint', 'RunningState', 'TerminatedState', 'WaitingState'],
]);

/** Returns contracts/types.ts: the plain types of the schemas, for workflows and public types, which have no zod. */
export function contractTypes(): string {
  const definitions = new Map<string, JsonSchema>();
  for (const document of SCHEMA_DOCUMENTS.filter(({ title }) => DOCUMENTS.includes(title))) {
    const { $defs = {}, ...schema } = exactSchemaOf(document);
    for (const [id, part] of Object.entries({ ...($defs as Definitions), [document.title]: schema })) {
      if (!INLINE.has(id) && !IMPORTED[id]) definitions.set(id, part);
      else inlined.set(id, part);
    }
  }
  const types = [...definitions].map(([id, schema]) =>
    declarationOf(nameOf(id), { ...schema, description: DESCRIBED[id] ?? schema.description }),
  );
  const imports = Object.values(IMPORTED).map(({ type, from }) => `import type { ${type} } from '${from}';`);
  return `${HEAD}\n${imports.join('\n')}\n\n${types.join('\n')}`;
}

type Definitions = Readonly<Record<string, JsonSchema>>;

const HEAD = '// Generated from the schemas of contracts/schemas/ by `npm run docs`.';

/** The parts that are written where they are used, or imported. */
const inlined = new Map<string, JsonSchema>();

const nameOf = (id: string) => IMPORTED[id]?.type ?? NAMED[id] ?? id;

function declarationOf(name: string, schema: JsonSchema): string {
  const comment = `/**\n * ${schema.description}\n *\n * @public\n */\n`;
  const type = typeOf(schema, '');
  return `${comment}${EXPORT} ${schema.properties ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
}

/** Not written in one piece: a check reads exported names. */
const EXPORT = 'export';

/** Returns a type. `indent`: of the line that it begins in. */
function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, anyOf, oneOf, items, properties, additionalProperties } = schema;
  if (typeof $ref === 'string') return referenceTo($ref.replace('#/$defs/', ''), indent);
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
  const alternatives = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (alternatives) return alternatives.map((one) => typeOf(one, indent)).join(' | ');
  if (items) return listOf(typeOf(items as JsonSchema, indent));
  if (properties && Object.keys(properties).length > 0) return fieldsOf(schema, indent);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ type }, indent)).join(' | ');
  if (schema.type === 'object') {
    return `Readonly<Record<string, ${typeOf((additionalProperties || {}) as JsonSchema, indent)}>>`;
  }
  return PRIMITIVES[String(schema.type)] ?? 'unknown';
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  ...{ string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' },
};

function referenceTo(id: string, indent: string): string {
  const part = inlined.get(id);
  return part && !IMPORTED[id] ? typeOf(part, indent) : nameOf(id);
}

const listOf = (item: string) =>
  `readonly ${/ \| /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

function fieldsOf({ properties, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties as Definitions).map(([name, field]) => {
    const comment = field.description ? `${inner}/** ${field.description} */\n` : '';
    const mark = (required as readonly string[]).includes(name) ? '' : '?';
    return `${comment}${inner}readonly ${name}${mark}: ${typeOf(field, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}
