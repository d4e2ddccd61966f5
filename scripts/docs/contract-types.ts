import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { exactSchemaOf } from '../../frameworks/schemas/to-json-schema.ts';

/** Documents whose types processes and programs share. */
const DOCUMENTS: readonly string[] = [
  ...['JobStatus', 'LedgerEntry', 'EvidenceRecord', 'PodsRecord', 'LanesAnswer', 'Fault', 'SuspendRequest'],
  ...[
    'WhyAnswer',
    'StopRequest',
    'ScaleRequest',
    'ExtendRequest',
    'HoldRequest',
    'AmendRequest',
    'ApplyRequest',
  ],
];

/** Parts that have a type elsewhere, and the file that has it. */
const IMPORTED: Readonly<Record<string, { readonly type: string; readonly from: string }>> = {
  JobCondition: { type: 'Condition', from: './kubernetes.ts' },
  NodeClassName: { type: 'NodeClassName', from: './node-classes.ts' },
  ReasonCode: { type: 'ReasonCode', from: './reasons.ts' },
  WaitCode: { type: 'WaitCode', from: './reasons.ts' },
  Who: { type: 'Who', from: './reasons.ts' },
};

/** Texts whose values programs know, while a reader in another language takes those of later versions. */
const VALUES: Readonly<Record<string, string>> = {
  'NodeClass.class': 'NodeClassName',
  'WaitReason.code': 'WaitCode',
  'WaitReason.who': 'Who',
};

/** What several documents share has a sentence of its own. */
const DESCRIBED: Readonly<Record<string, string>> = {
  SuspendRequest: 'Who requests an intervention, and why.',
};

/** Types that have other names than their schemas, which the models of Python are named after. */
const NAMED: Readonly<Record<string, string>> = {
  ContainerState: 'ContainerStateEvidence',
  JobExplanation: 'Explanation',
  Lane: 'LaneAnswer',
  RecordedCondition: 'ConditionEvidence',
  SuspendRequest: 'Intervention',
};

/** Parts that are written where they are used. */
const INLINE: ReadonlySet<string> = new Set([
  ...[
    'Ahead',
    'AppliedManifest',
    'Budget',
    'Holder',
    'SparesAnswer',
    'LedgerBudget',
    'LedgerClosing',
    'LedgerDigest',
    'LedgerEffectEnd',
  ],
  ...['LedgerPrincipal', 'LedgerProgress', 'LedgerRequestCause', 'LedgerSubmission', 'LedgerTimer'],
  ...['PodEvidence', 'RecordedJob', 'RecordedTaint', 'RunningState', 'TerminatedState', 'WaitingState'],
]);

/** Returns contracts/types.ts: the plain types of the schemas, for workflows and public types, which have no zod. */
export function contractTypes(): string {
  const definitions = new Map<string, JsonSchema>();
  for (const document of SCHEMA_DOCUMENTS.filter(({ title }) => DOCUMENTS.includes(title))) {
    const { $defs = {}, ...schema } = exactSchemaOf(document);
    for (const [id, part] of Object.entries({ ...($defs as Definitions), [document.title]: schema })) {
      (INLINE.has(id) || IMPORTED[id] ? inlined : definitions).set(id, withValues(id, part));
    }
  }
  const types = [...definitions].map(([id, schema]) =>
    declarationOf(nameOf(id), { ...schema, description: DESCRIBED[id] ?? schema.description }),
  );
  const files = Map.groupBy(Object.values(IMPORTED), ({ from }) => from);
  const imports = [...files].map(
    ([from, parts]) => `import type { ${parts.map(({ type }) => type).join(', ')} } from '${from}';`,
  );
  return `${HEAD}\n${imports.join('\n')}\n\n${types.join('\n')}`;
}

function withValues(id: string, schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema.properties ?? {}) as Definitions).map(([name, field]) => {
    const values = VALUES[`${id}.${name}`];
    return [name, values ? { $ref: values, description: field.description } : field] as const;
  });
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema;
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
