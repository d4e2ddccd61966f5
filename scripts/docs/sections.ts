import '../../bridge/metrics.ts';
import '../../cli/processes/build-info.ts';
import '../../console/metrics.ts';
import '../../notify/metrics.ts';
import '../../watcher/metrics.ts';
import '../../worker/archiver-metrics.ts';
import { register } from 'prom-client';
import { z } from 'zod';
import { EXIT_CODES } from '../../cli/shell/exit-codes.ts';
import { buildManifest } from '../../client/manifests/builders/build-manifest.ts';
import { type BuilderKind, optionsOf } from '../../client/manifests/builders/builder-kind.ts';
import { JOB_OPTIONS } from '../../client/manifests/builders/common-options.ts';
import { BUILDERS } from '../../client/manifests/builders/kinds.ts';
import { FILTERS } from '../../contracts/filters.ts';
import { JOB_COUNTERS, JOB_HISTOGRAMS } from '../../contracts/job-metrics.ts';
import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { RPC_METHODS } from '../../contracts/schemas/rpc.ts';
import { SIGNATURES, type Signature } from '../../contracts/signatures.ts';
import { SCHEMA_DOCUMENTS, type SchemaDocument } from '../../frameworks/schemas/schema-documents.ts';
import { valueAt } from '../../language/fields.ts';
import { exitCodeOf, SITUATIONS } from '../../test/scenarios/why-situations.ts';
import { healthSources } from './health-sources.ts';
import { paragraph, table } from './markdown.ts';
import { snakeCase } from './python/source.ts';
import { rankedCodes } from './reasons.ts';
import { type Sections, withSections } from './with-sections.ts';
import { WORTH_SECTIONS } from './worth.ts';

/** What is generated within the pages of docs/ that people write: for each page, its sections by name. */
const SECTIONS: Readonly<Record<string, Sections>> = {
  'command-line.md': { filters, 'exit codes': exitCodes },
  'evidence.md': { signatures },
  'health.md': { sources: healthSources },
  'manifests.md': { builders: builderTable },
  'reference.md': { metrics: metricsTable },
  'why.md': { codes: rankedCodes, 'node classes': nodeClasses, situations },
  'wire-contract.md': { updates, methods },
  'worth.md': WORTH_SECTIONS,
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

function signatures(): string {
  const rows = Object.entries<Signature>(SIGNATURES).map(([code, { class: kind, means, remedy, ofNode }]) => [
    ...[`\`${code}\``, kind, means],
    [remedy, ofNode].filter(Boolean).join(' ').replace(' (LIMIT now)', ''),
  ]);
  return table(['signature', 'class', 'meaning', 'what to do'], rows);
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

const KINDS = Object.entries<BuilderKind>(BUILDERS);
const SHARED = Object.keys(optionsOf(BUILDERS.jaxJob)).filter((name) =>
  KINDS.every(([, kind]) => name in optionsOf(kind)),
);
const OF_KUBEFLOW = Object.keys(JOB_OPTIONS).filter((name) => !SHARED.includes(name));

/** Returns what the builders make and which options they have, for docs/manifests.md. */
function builderTable(): string {
  const rows = KINDS.map(([name, kind]) => [
    builderOf(name, kind),
    podsOf(kind),
    listed(furtherOptions(kind)),
  ]);
  const common = `All have ${listed(SHARED)}; those of kubeflow.org also ${listed(OF_KUBEFLOW)}.`;
  return `${table(['builder', 'pods for `nodes: 4`', 'further options'], rows)}\n\n${paragraph(common)}`;
}

const builderOf = (name: string, { apiVersion }: BuilderKind) =>
  apiVersion === 'kubeflow.org/v1' ? `\`${name}\`` : `\`${name}\` (${apiVersion})`;

const furtherOptions = (kind: BuilderKind) =>
  Object.keys(kind.options).filter((name) => ![...SHARED, ...OF_KUBEFLOW].includes(name));

function podsOf(kind: BuilderKind): string {
  if (kind.rolesAre === 'patches') return '4 nodes, and what the runtime has beside';
  const manifest = buildManifest<object>(kind, { name: 'a', image: 'a', nodes: 4 });
  const roles = Object(valueAt(manifest, kind.rolesAt.join('.')));
  return Object.entries(roles)
    .map(([key, spec]) => ({
      role: valueAt(spec, 'name') ?? key,
      replicas: Number(valueAt(spec, 'replicas')),
    }))
    .map(({ role, replicas }) => `${replicas} ${role}${replicas === 1 ? '' : 's'}`)
    .join(', ');
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** Which processes have metrics with a prefix; all others in prom-client's registry are of watchers. */
const PROCESSES: readonly (readonly [prefix: string, of: string])[] = [
  ['signalbox_archive_', 'workers with an archive'],
  ['signalbox_bridge_', 'bridges'],
  ['signalbox_notifier_', 'notifiers'],
  ['signalbox_console_', 'consoles'],
  ['signalbox_build_', 'all'],
  ['signalbox_used_', 'workers with an archive'],
];

/** Returns a row for each metric of signalbox. */
function metricsTable(): string {
  const ofJobs = [...Object.values(JOB_COUNTERS), ...Object.values(JOB_HISTOGRAMS)];
  const others = register.getMetricsAsArray().map(({ name, help }) => ({ name, help, of: processOf(name) }));
  const rows = [...ofJobs.map((metric) => ({ ...metric, of: 'workers' })), ...others.toSorted(byProcess)];
  return table(
    ['metric', 'of', 'what'],
    rows.map(({ name, of, help }) => [`\`${name}\``, of, help]),
  );
}

const processOf = (name: string): string =>
  PROCESSES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'watchers';

/** Workers first, as jobs come to them first. */
const ORDER = ['workers with an archive', 'watchers', 'bridges', 'notifiers', 'consoles', 'all'];

const byProcess = (a: { readonly of: string }, b: { readonly of: string }) =>
  ORDER.indexOf(a.of) - ORDER.indexOf(b.of);
