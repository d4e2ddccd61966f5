import {
  type BuilderKind,
  type BuilderRole,
  isOfKubeflow,
  ownOptions,
} from '../../../client/manifests/builders/builder-kind.ts';
import {
  type BuilderOption,
  type BuilderOptions,
  JOB_OPTIONS,
  POD_OPTIONS,
} from '../../../client/manifests/builders/common-options.ts';
import { BUILDERS } from '../../../client/manifests/builders/kinds.ts';
import type { OptionRule } from '../../../client/manifests/builders/option-rules.ts';
import { DOC_OF_ANY_JOB, docOfOptions } from '../builders.ts';
import { withSections } from '../with-sections.ts';
import { assignment, docstring, header, optionalField, pythonText, snakeCase } from './source.ts';

const IMPORTS = `
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, TypedDict, Unpack

from signalbox._build_manifest import build_manifest
`;

/** Returns python/src/signalbox/models/builders.py: the same builders as builders.ts, with their table as data. */
export const pythonBuilders = (): string =>
  [
    `${header('client/manifests/builders/kinds.ts')}${IMPORTS}`,
    optionsClass('AnyJobOptions', 'TypedDict', POD_OPTIONS, DOC_OF_ANY_JOB),
    optionsClass('JobOptions', 'AnyJobOptions', JOB_OPTIONS, 'Options that all kinds of kubeflow.org have.'),
    ...Object.values(BUILDERS).map(optionsOfKind),
    ...Object.entries(BUILDERS).map(builder),
    tables(),
  ].join('\n\n');

/** Returns python/src/signalbox/__init__.py, by which the package has all builders. */
export function pythonPackage(): string {
  const names = Object.keys(BUILDERS).map(snakeCase).sort();
  const linesOf = (texts: readonly string[], indent: string) =>
    texts.map((text) => `${indent}    ${text},\n`).join('');
  const quoted = linesOf(names.map(pythonText), '');
  const sections = {
    // ruff wants an empty line before a comment among imports.
    'types of builders': () => `    from .models.builders import (\n${linesOf(names, '    ')}    )\n`,
    builders: () => `_BUILDERS = [\n${quoted}]\n__all__ += [\n${quoted}]`,
  };
  return withSections('python/src/signalbox/__init__.py', sections, (text) => `# ${text}`);
}

function optionsOfKind(kind: BuilderKind): string {
  const name = `${kind.manifest}Options`;
  const doc = docOfOptions(kind);
  if (!isOfKubeflow(kind)) return optionsClass(name, 'AnyJobOptions', ownOptions(kind), doc);
  // A class of Python cannot replace an option of its base.
  const isReplaced = Object.keys(kind.options).some((option) => option in JOB_OPTIONS);
  return isReplaced
    ? optionsClass(name, 'AnyJobOptions', { ...JOB_OPTIONS, ...kind.options }, doc)
    : optionsClass(name, 'JobOptions', kind.options, doc);
}

function optionsClass(name: string, base: string, options: BuilderOptions, doc: string): string {
  const inner = Object.entries(options).flatMap(([option, { fields, doc: about = '' }]) =>
    fields ? [optionsClass(classOf(option), 'TypedDict', fields, about.split('. ')[0]!), ''] : [],
  );
  const fields = Object.entries(options).map(field);
  return [
    ...inner,
    `class ${name}(${base}, total=False):\n${docstring(inPython(doc))}\n\n${fields.join('\n')}\n`,
  ].join('\n');
}

function field([name, option]: [string, BuilderOption]): string {
  const type = option.fields ? classOf(name) : TYPES[option.rule.is](option.rule);
  const called = snakeCase(name);
  const line = option.required ? `    ${called}: Required[${type}]` : optionalField(called, type);
  return option.doc ? `${line}\n${docstring(inPython(option.doc))}` : line;
}

const classOf = (option: string) => `${option[0]!.toUpperCase()}${option.slice(1)}`;

function builder([name, kind]: [string, BuilderKind]): string {
  const example = Object.entries(kind.example).map(
    ([option, value]) => `${snakeCase(option)}=${JSON.stringify(value).replaceAll(',"', ', "')}`,
  );
  const doc = [
    `Return the manifest of ${kind.makes}.`,
    'Raises `InvalidManifestError` with all options that are wrong.',
    `\`\`\`python\nmanifest = ${snakeCase(name)}(\n    ${example.join(',\n    ')},\n)\n\`\`\``,
  ];
  const common = isOfKubeflow(kind) ? '**_ANY_JOB, **_OF_KUBEFLOW' : '**_ANY_JOB';
  return `def ${snakeCase(name)}(**options: Unpack[${kind.manifest}Options]) -> dict[str, Any]:
${docstring(doc.join('\n\n'))}
    return build_manifest(_${snakeCase(name).toUpperCase()}, {${common}}, options)
`;
}

const wordsOf = ({ words = [] }: OptionRule) => `Literal[${words.map(pythonText).join(', ')}]`;

const TYPES: Readonly<Record<OptionRule['is'], (rule: OptionRule) => string>> = {
  name: () => 'str',
  text: () => 'str',
  texts: () => 'Sequence[str]',
  textByName: () => 'Mapping[str, str]',
  textsByName: () => 'Mapping[str, Sequence[str]]',
  pathByName: () => 'Mapping[str, str]',
  boolean: () => 'bool',
  integer: (rule) => (rule.words ? `int | ${wordsOf(rule)}` : 'int'),
  word: wordsOf,
  quantity: () => 'str | float',
  policy: () => 'Mapping[str, Any]',
  bounds: () => 'Mapping[str, int]',
};

const tables = (): string =>
  [
    assignment('_ANY_JOB: Mapping[str, Any]', tableOf(POD_OPTIONS)),
    assignment('_OF_KUBEFLOW: Mapping[str, Any]', tableOf(JOB_OPTIONS)),
    ...Object.entries(BUILDERS).map(tableOfKind),
  ].join('');

function tableOfKind([name, kind]: [string, BuilderKind]): string {
  const { apiVersion, rolesAt, rolesAre, roles, backoffLimitOfNever, options } = kind as BuilderKind;
  const table = {
    ...{ apiVersion, kind: kind.kind, is_of_kubeflow: isOfKubeflow(kind) },
    ...(backoffLimitOfNever === undefined ? {} : { backoff_limit_of_never: backoffLimitOfNever }),
    ...(rolesAre ? { roles_are: rolesAre } : {}),
    ...{ roles_at: rolesAt, roles: roles.map(tableOfRole), options: tableOf(options) },
  };
  return assignment(`_${snakeCase(name).toUpperCase()}: Mapping[str, Any]`, table);
}

const tableOfRole = ({ onlyWith, unless, without, hasOwnRestarts, replicas, ...role }: BuilderRole) => ({
  ...role,
  replicas: replicas.of === undefined ? replicas : { ...replicas, of: snakeCase(replicas.of) },
  ...(onlyWith === undefined ? {} : { only_with: snakeCase(onlyWith) }),
  ...(unless === undefined ? {} : { unless: snakeCase(unless) }),
  ...(without === undefined ? {} : { without: without.map(snakeCase) }),
  ...(hasOwnRestarts ? { has_own_restarts: true } : {}),
});

const tableOf = (options: BuilderOptions): object =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [snakeCase(name), entry(option)]));

const entry = ({ rule, doc, fields, ...option }: BuilderOption): object => ({
  rule: {
    ...rule,
    expected: inPython(rule.expected),
    ...(rule.bounds ? { bounds: rule.bounds.map(snakeCase) } : {}),
  },
  ...option,
  ...(fields ? { fields: tableOf(fields) } : {}),
});

/** Every name of an option that is written otherwise in Python. */
const NAMES = new Set(
  [POD_OPTIONS, JOB_OPTIONS, ...Object.values(BUILDERS).map((kind: BuilderKind) => kind.options)]
    .flatMap((options: BuilderOptions) => Object.entries(options))
    .flatMap(([name, { fields = {} }]) => [name, ...Object.keys(fields)])
    .filter((name) => snakeCase(name) !== name),
);

const inPython = (text: string): string =>
  text
    .replace(/\w+/g, (word) => (NAMES.has(word) ? snakeCase(word) : word))
    .replace(/^an object\b/, 'a mapping')
    .replace('true or false', 'True or False');
