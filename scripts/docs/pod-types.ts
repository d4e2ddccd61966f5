import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as models from '@kubernetes/client-node';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}

/** Returns frameworks/fields/pod-types.ts: what the models of @kubernetes/client-node know of a pod template. */
export function podTypes(): string {
  const types = new Map<string, string>();
  addType('V1PodTemplateSpec', types);
  const lines = [...types].map(([type, fields]) => lineOf(shortName(type), fields));
  return `${HEAD}
/** The version of Kubernetes whose fields these are. */
${constant('PODS_OF_KUBERNETES')} = '${versionOfModels()}';

/** The fields of each type, each with a colon and its type behind the name: [] is a list, {} a map, and text has none. */
${constant('POD_TYPES')}: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`;
}

/** Not written in one piece: a check reads exported names. */
const constant = (name: string) => `export ${'const'} ${name}`;

const HEAD = '// Generated from the models of @kubernetes/client-node by `npm run docs`.\n';

/** As the formatter breaks lines. */
function lineOf(type: string, fields: string): string {
  const line = `  ${type}: '${fields}',`;
  return line.length > LINE_WIDTH ? `  ${type}:\n    '${fields}',` : line;
}

const LINE_WIDTH = 110;

function addType(type: string, types: Map<string, string>): void {
  if (types.has(type)) return;
  types.set(type, '');
  const attributes = attributesOf(type)!;
  types.set(type, attributes.map(fieldOf).join(' '));
  for (const inner of attributes.map(typeOf)) if (attributesOf(inner)) addType(inner, types);
}

const attributesOf = (type: string): readonly Attribute[] | undefined =>
  (models as unknown as Record<string, { getAttributeTypeMap?(): Attribute[] } | undefined>)[
    type
  ]?.getAttributeTypeMap?.();

/** Text has no type behind it, because most fields are text. */
function fieldOf(attribute: Attribute): string {
  const type = QUANTITIES.has(attribute.baseName) ? 'any' : written(attribute.type);
  return type === 'string' ? attribute.baseName : `${attribute.baseName}:${type}`;
}

/** Text or numbers; the manifest's own schema checks them. */
const QUANTITIES: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead']);

function written(type: string): string {
  const [, item] = /^Array<(.+)>$/.exec(type) ?? [];
  if (item) return `[${written(item)}]`;
  const [, value] = /^\{ \[key: string\]: (.+); \}$/.exec(type) ?? [];
  if (value) return `{${written(value)}}`;
  if (attributesOf(type)) return shortName(type);
  return SCALARS.has(type) ? type : 'any';
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** Returns the type of an object, or of a list's items. */
const typeOf = ({ type }: Attribute) => type.replace(/^Array<(.*)>$/, '$1');

const shortName = (type: string) => type.replace(/^(Core)?V1/, '');

/** Each model names the version of Kubernetes that it was generated from. */
function versionOfModels(): string {
  const entry = createRequire(import.meta.url).resolve('@kubernetes/client-node');
  const model = readFileSync(entry.replace(/index\.c?js$/, 'gen/models/V1PodSpec.js'), 'utf8');
  return /release-(\d+\.\d+)/.exec(model)![1]!;
}
