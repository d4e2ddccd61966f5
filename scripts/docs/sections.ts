import { z } from 'zod';
import { EXIT_CODES } from '../../cli/shell/exit-codes.ts';
import { FILTERS } from '../../contracts/filters.ts';
import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { RPC_METHODS } from '../../contracts/schemas/rpc.ts';
import { SCHEMA_DOCUMENTS, type SchemaDocument } from '../../frameworks/schemas/schema-documents.ts';
import { exitCodeOf, SITUATIONS } from '../../test/scenarios/why-situations.ts';
import { builderTable } from './builder-table.ts';
import { table } from './markdown.ts';
import { metricsTable } from './metrics.ts';
import { snakeCase } from './python/source.ts';
import { rankedCodes } from './reasons.ts';
import { type Sections, withSections } from './with-sections.ts';

/** What is generated within the pages of docs/ that people write: for each page, its sections by name. */
const SECTIONS: Readonly<Record<string, Sections>> = {
  'command-line.md': { filters, 'exit codes': exitCodes },
  'manifests.md': { builders: builderTable },
  'reference.md': { metrics: metricsTable },
  'why.md': { codes: rankedCodes, 'node classes': nodeClasses, situations },
  'wire-contract.md': { updates, methods },
};

const inMarkdown = (text: string) => `<!-- ${text} -->`;

/** These pages, by path. */
export const PAGES_WITH_SECTIONS: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(SECTIONS).map(([page, sections]) => {
    const path = `docs/${page}`;
    return [path, () => withSections(path, sections, inMarkdown)];
  }),
);

function exitCodes(): string {
  return table(
    ['code', 'meaning'],
    Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]),
  );
}

function filters(): string {
  const rows = Object.entries(FILTERS).map(([name, { flag, only }]) => [
    flag === undefined ? '' : `\`${flag}\``,
    `\`${name}\``,
    `\`${snakeCase(name)}\``,
    only,
  ]);
  return table(['option', 'TypeScript', 'Python', 'only jobs'], rows);
}

function nodeClasses(): string {
  const rows = Object.entries(NODE_CLASSES).map(([name, meaning]) => [`\`${name}\``, meaning]);
  return table(['class', 'its nodes are'], rows);
}

function situations(): string {
  const rows = SITUATIONS.map((situation) => {
    const { title, code, says, note, who = code && REASONS[code].who } = situation;
    const words = says ?? note;
    return [
      ...[title, code === undefined ? 'starts' : `\`${code}\``, words === undefined ? '' : `… ${words} …`],
      ...[code === undefined ? '' : (who ?? ''), String(exitCodeOf(situation))],
    ];
  });
  return table(['situation', 'first reason', 'words of it, or of a note', 'who', 'exit code'], rows);
}

function updates(): string {
  const rows = SCHEMA_DOCUMENTS.filter(({ name }) => name.endsWith('-request')).map((document) => [
    `[\`${updateOf(document)}\`](../schemas/${document.name}.json)`,
    furtherFields(document),
  ]);
  return table(['update', 'further fields'], rows);
}

const updateOf = ({ description }: SchemaDocument) => /`(\w+)`/.exec(description)?.[1];

const furtherFields = ({ schema }: SchemaDocument): string =>
  fieldsIn(schema())
    .filter(([name]) => name !== 'by' && name !== 'why')
    .map(([name, { description }]) => `\`${name}\`: ${description}`)
    .join(' ');

const fieldsIn = (schema: z.ZodType): [string, z.ZodType][] =>
  schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [];

function methods(): string {
  const rows = Object.entries(RPC_METHODS).map(([name, { arguments: schema, answer }]) => [
    `\`${name}\``,
    fieldsIn(schema).map(argument).join(' '),
    answer,
  ]);
  return table(['method', 'arguments', 'result'], rows);
}

function argument([name, schema]: [string, z.ZodType]): string {
  const optional = schema.isOptional() && !(schema instanceof z.ZodUnknown) ? '?' : '';
  return `\`${name}${optional}\`${schema.description ? `: ${schema.description}` : ''}`;
}
