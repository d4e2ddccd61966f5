import { parse } from 'yaml';
import type { RequestField } from '../../client/handles/interventions.ts';
import { isFieldPath } from '../../contracts/parameter-sweep.ts';
import { parseDuration } from '../../language/duration.ts';
import { errorMessage } from '../../language/error-message.ts';
import { isFields } from '../../language/fields.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { ProblemError } from '../http/problem-error.ts';

/** Reads what a form has for the fields of a request. Throws `ProblemError` for what no job could understand. */
export function requestValues(
  fields: readonly RequestField[],
  form: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const given = fields.map((field) => [
    field.name,
    READERS[field.takes](form.get(field.name)?.trim() ?? '', field),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

type Reader = (text: string, field: RequestField) => unknown;

const READERS: Readonly<Record<RequestField['takes'], Reader>> = {
  switch: (text) => text === 'yes' || undefined,
  role: (text, field) => text || wrong(field, 'the name of a role', text),
  name: (text) => text || undefined,
  count: (text, field) => (/^\d{1,7}$/.test(text) ? Number(text) : wrong(field, 'a whole number', text)),
  duration: (text, field) => {
    const ms = text === '0' ? 0 : parseDuration(text);
    return Number.isNaN(ms) ? wrong(field, 'a duration like 90s, 30m or 2h', text) : Math.round(ms / 1_000);
  },
  policy: (text, field) => {
    const value = yamlOf(text, field);
    return isFields(value) ? value : wrong(field, 'fields of a policy, as YAML', text);
  },
  edits: (text, field) => {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    return lines.length === 0 ? undefined : lines.map((line) => editIn(line.trim(), field));
  },
};

/** As `--set` of the command line: the value of a path is YAML, that of a variable is text. */
function editIn(line: string, field: RequestField) {
  const at = line.indexOf('=');
  if (at <= 0) return wrong(field, 'PATH=VALUE or NAME=VALUE in each line', line);
  const [path, value] = [line.slice(0, at), line.slice(at + 1)];
  return { path, value: isFieldPath(path) ? (yamlOf(value, field) ?? null) : value };
}

function yamlOf(text: string, field: RequestField): unknown {
  try {
    return parse(text, YAML_AS_KUBECTL);
  } catch (error) {
    return wrong(field, 'YAML', errorMessage(error));
  }
}

function wrong({ label }: RequestField, expected: string, got: string): never {
  throw new ProblemError(
    422,
    `${label}: expected ${expected}, got ${got === '' ? 'nothing' : JSON.stringify(got)}.`,
    'Nothing was done.',
  );
}
