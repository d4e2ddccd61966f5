import { type BuilderKind, isOfKubeflow, ownOptions } from '../../client/manifests/builders/builder-kind.ts';
import {
  type BuilderOption,
  type BuilderOptions,
  JOB_OPTIONS,
  POD_OPTIONS,
} from '../../client/manifests/builders/common-options.ts';
import { BUILDERS } from '../../client/manifests/builders/kinds.ts';
import type { OptionRule } from '../../client/manifests/builders/option-rules.ts';
import { isFields } from '../../language/fields.ts';
import { paragraph } from './markdown.ts';

const HEAD = `// Generated from kinds.ts by \`npm run docs\`: a function for each kind, whose options have types and comments.
import type {
${['JobPolicy', ...Object.values(BUILDERS).map(({ manifest }) => manifest)]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from '../manifest-types.ts';
import { buildManifest } from './build-manifest.ts';
import { BUILDERS } from './kinds.ts';
`;

/** Returns client/manifests/builders/builders.ts. */
export const builders = (): string =>
  [
    HEAD,
    optionsType('AnyJobOptions', POD_OPTIONS, DOC_OF_ANY_JOB),
    optionsType(
      'JobOptions extends AnyJobOptions',
      JOB_OPTIONS,
      'Options that all kinds of kubeflow.org have.',
    ),
    ...Object.entries(BUILDERS).flatMap(([name, kind]) => [typeOfKind(kind), builder(name, kind)]),
  ].join('\n');

export const DOC_OF_ANY_JOB =
  'What the pods of a job run, and need. All pods of the job get the same, unless the builder says otherwise.';

/** Returns what is said of a kind's options. */
export const docOfOptions = ({ makes, doc }: BuilderKind): string =>
  [`What ${makes.split(',')[0]} is built from.`, ...(doc ? [doc] : [])].join(' ');

function typeOfKind(kind: BuilderKind): string {
  const base = isOfKubeflow(kind) ? 'JobOptions' : 'AnyJobOptions';
  return optionsType(`${kind.manifest}Options extends ${base}`, ownOptions(kind), docOfOptions(kind));
}

const optionsType = (name: string, options: BuilderOptions, doc: string): string =>
  `${comment([doc, '@public'])}\nexport interface ${name} {\n${fieldsOf(options, '  ')}\n}\n`;

function builder(name: string, kind: BuilderKind): string {
  const doc = [
    `Returns the manifest of ${kind.makes}. Throws \`InvalidManifestError\` with all options that are wrong.`,
    `@example\n\`\`\`ts\n${exampleOf(name, kind)}\n\`\`\``,
    '@public',
  ];
  const { manifest } = kind;
  return `${comment(doc)}
export function ${name}(options: ${manifest}Options): ${manifest} {
  return buildManifest<${manifest}>(BUILDERS.${name}, options);
}
`;
}

function exampleOf(name: string, { example }: BuilderKind): string {
  const options = Object.entries(example).map(([option, value]) => `${option}: ${literal(value)}`);
  const line = `const manifest = ${name}({ ${options.join(', ')} });`;
  return line.length <= 116 ? line : `const manifest = ${name}({\n  ${options.join(',\n  ')},\n});`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isFields(value)) return JSON.stringify(value).replaceAll('"', "'");
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${fields.join(', ')} }`;
}

const fieldsOf = (options: BuilderOptions, indent: string): string =>
  Object.entries(options)
    .map(([name, option]) => {
      const doc = option.doc ? `${comment([option.doc], indent)}\n` : '';
      return `${doc}${indent}readonly ${name}${option.required ? '' : '?'}: ${typeOf(option, indent)};`;
    })
    .join('\n');

const typeOf = ({ rule, fields }: BuilderOption, indent: string): string =>
  fields ? `{\n${fieldsOf(fields, `${indent}  `)}\n${indent}}` : TYPES[rule.is](rule);

const wordsOf = ({ words = [] }: OptionRule) => words.map((word) => `'${word}'`);
const BY_NAME = 'Readonly<Record<string, string>>';

const TYPES: Readonly<Record<OptionRule['is'], (rule: OptionRule) => string>> = {
  name: () => 'string',
  text: () => 'string',
  texts: () => 'readonly string[]',
  textByName: () => BY_NAME,
  textsByName: () => 'Readonly<Record<string, readonly string[]>>',
  pathByName: () => BY_NAME,
  boolean: () => 'boolean',
  integer: (rule) => ['number', ...wordsOf(rule)].join(' | '),
  word: (rule) => wordsOf(rule).join(' | '),
  quantity: () => 'string | number',
  policy: () => 'JobPolicy',
  bounds: () => 'object',
};

function comment(paragraphs: readonly string[], indent = ''): string {
  const [first, ...others] = paragraphs.map((text) =>
    text.startsWith('@example') ? text : paragraph(text, 117 - indent.length),
  );
  const line = `${indent}/** ${first} */`;
  if (others.length === 0 && line.length <= 120 && !first!.includes('\n')) return line;
  const lines = [first, ...others].join('\n\n').split('\n');
  return [`/**`, ...lines.map((text) => ` * ${text}`.trimEnd()), ` */`]
    .map((text) => `${indent}${text}`)
    .join('\n');
}
