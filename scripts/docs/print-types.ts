import type { JsonSchema } from '../../frameworks/schemas/json-schema.ts';

export type Definitions = Readonly<Record<string, JsonSchema>>;

interface PrintedTypes {
  /** Types that are declared, by the ids that references have. */
  readonly declared: Definitions;
  /** Parts that are written where they are used. */
  readonly inline?: Definitions;
  /** Returns the name of the type of an id; default: the id. */
  readonly nameOf?: (id: string) => string;
  /** Whether programs only read what has these types. */
  readonly isReadonly: boolean;
}

/** Returns declarations of plain types for JSON Schemas, each with its description. */
export function printTypes({ declared, inline = {}, nameOf = (id) => id, isReadonly }: PrintedTypes): string {
  const readonly = isReadonly ? 'readonly ' : '';

  function declarationOf(name: string, schema: JsonSchema): string {
    const comment = `/**\n * ${schema.description}\n *\n * @public\n */\n`;
    const type = typeOf(schema, '');
    return `${comment}${EXPORT} ${schema.properties ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
  }

  /** Returns a type. `indent`: of the line that it begins in. */
  function typeOf(schema: JsonSchema, indent: string): string {
    const { $ref, anyOf, oneOf, items, properties, additionalProperties } = schema;
    if (typeof $ref === 'string') return referenceTo($ref.replace('#/$defs/', ''), indent);
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
    const alternatives = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
    if (alternatives) return [...new Set(alternatives.map((one) => typeOf(one, indent)))].join(' | ');
    const { prefixItems } = schema;
    if (prefixItems)
      return `${readonly}[${(prefixItems as JsonSchema[]).map((one) => typeOf(one, indent)).join(', ')}]`;
    if (items) return listOf(typeOf(items as JsonSchema, indent));
    if (properties && Object.keys(properties).length > 0) return fieldsOf(schema, indent);
    if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ type }, indent)).join(' | ');
    if (schema.type === 'object') {
      const record = `Record<string, ${typeOf((additionalProperties || {}) as JsonSchema, indent)}>`;
      return isReadonly ? `Readonly<${record}>` : record;
    }
    return PRIMITIVES[String(schema.type)] ?? 'unknown';
  }

  function referenceTo(id: string, indent: string): string {
    const part = inline[id];
    return part ? typeOf(part, indent) : nameOf(id);
  }

  const listOf = (item: string) =>
    `${readonly}${/ \| |^readonly /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;

  function fieldsOf({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
    const inner = `${indent}  `;
    const fields = Object.entries(properties as Definitions).map(([name, field]) => {
      const comment = field.description ? `${inner}/** ${field.description} */\n` : '';
      const mark = (required as readonly string[]).includes(name) ? '' : '?';
      const key = /^\w+$/.test(name) ? name : `'${name}'`;
      return `${comment}${inner}${readonly}${key}${mark}: ${typeOf(field, inner)};\n`;
    });
    if (additionalProperties) {
      const others =
        additionalProperties === true ? 'unknown' : typeOf(additionalProperties as JsonSchema, inner);
      fields.push(
        `${inner}${readonly}[field: string]: ${others}${others === 'unknown' ? '' : ' | undefined'};\n`,
      );
    }
    return `{\n${fields.join('')}${indent}}`;
  }

  return Object.entries(declared)
    .map(([id, schema]) => declarationOf(nameOf(id), schema))
    .join('\n');
}

/** Not written in one piece: a check reads exported names. */
const EXPORT = 'export';

const PRIMITIVES: Readonly<Record<string, string>> = {
  ...{ string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' },
};

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
