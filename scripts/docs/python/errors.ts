import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docstring, header, snakeCase } from './source.ts';

const SOURCES = ['client/errors/errors.ts', 'client/errors/schedule-errors.ts'];
const IMPORTS = `
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from signalbox._signalbox_error import Fault, KnownJob, SignalboxError
`;

/** Returns python/src/signalbox/models/errors.py: the classes of the errors, with their codes and fields. */
export function pythonErrors(): string {
  return [`${header(SOURCES.join(' and '))}${IMPORTS}`, ...SOURCES.flatMap(classesIn)].join('\n\n');
}

function classesIn(source: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', source), 'utf8');
  const classes = [...text.matchAll(CLASS)].map(([, doc = '', name = '', code = '', body = '']) =>
    [
      `class ${name}(SignalboxError):`,
      docstring(proseOf(doc)),
      '',
      `    code = "${code}"`,
      ...[...body.matchAll(FIELD)].map((field) => fieldOf(field, source)),
      '',
    ].join('\n'),
  );
  if (classes.length !== [...text.matchAll(/^export class /gm)].length)
    throw new Error(`${source}: expected each class with a comment and a code`);
  return classes;
}

const CLASS =
  /^\/\*\*\n((?: \*.*\n)+?) \*\n \* @public\n \*\/\nexport class (\w+) .*\{\n {2}static override readonly code = '(\w+)';\n([\s\S]*?)^\}/gm;
const FIELD = /^(?: {2}\/\*\* (?<doc>.*) \*\/\n)? {2}readonly (?<name>\w+): (?<type>.+);$/gm;

const proseOf = (comment: string) =>
  comment
    .replaceAll(/^ \* ?/gm, '')
    .trim()
    .replaceAll('\n', ' ');

function fieldOf({ groups }: RegExpMatchArray, source: string): string {
  const { name = '', type = '', doc } = groups ?? {};
  const written = doc === 'RFC 3339.' ? 'Date' : type;
  if (!(written in TYPES))
    throw new Error(`${source}: expected a field of ${Object.keys(TYPES)}, got ${type}`);
  const line = `    ${snakeCase(name)}: ${TYPES[written]}`;
  return doc && written === type ? `${line}\n${docstring(doc)}` : line;
}

/** Types of fields. What an engine of another version does not say is empty. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  'string | undefined': 'str | None = None',
  Date: 'datetime',
  FinalPhase: 'str',
  'readonly string[]': 'Sequence[str] = ()',
  'readonly Fault[]': 'Sequence[Fault] = ()',
  'readonly KnownJob[]': 'Sequence[KnownJob] = ()',
};
