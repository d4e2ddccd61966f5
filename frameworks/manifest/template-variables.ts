import { formatSteps } from '../../contracts/manifest-path.ts';
import type { Fault } from '../../contracts/types.ts';
import { isFields } from '../../language/fields.ts';

/** `${NAME}`, `$NAME` or `{{ name }}`; not `$(NAME)`, which Kubernetes fills in. */
const VARIABLE = /\$\{[A-Za-z_]\w*\}|\$[A-Za-z_]\w*|\{\{.*?\}\}/;

/** What shells, programs and people read: there such text may be meant. */
const FREE_TEXT: ReadonlySet<string> = new Set(['command', 'args', 'value', 'annotations', 'status']);

/** Adds to a fault that a variable of a template was not filled in, if that is what it found. */
export function withTemplateHint(fault: Fault): Fault {
  const variable = VARIABLE.exec(fault.got)?.[0];
  return variable === undefined ? fault : { ...fault, expected: `${fault.expected} (${hint(variable)})` };
}

/** Warns of variables in other fields of an accepted manifest, in which Kubernetes fills in none. */
export const templateWarnings = (manifest: unknown): string[] =>
  variablesIn(manifest, []).map(
    ({ steps, text, variable }) => `${formatSteps(steps)}: ${JSON.stringify(text)}: ${hint(variable)}`,
  );

const hint = (variable: string) =>
  `a template? fill in ${variable} first${variable.startsWith('$') ? ', e.g. with envsubst' : ''}`;

interface Found {
  readonly steps: readonly PropertyKey[];
  readonly text: string;
  readonly variable: string;
}

function variablesIn(value: unknown, steps: readonly PropertyKey[]): Found[] {
  if (typeof value === 'string') {
    const variable = VARIABLE.exec(value)?.[0];
    return variable === undefined ? [] : [{ steps, text: value, variable }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => variablesIn(item, [...steps, index]));
  if (!isFields(value)) return [];
  return Object.entries(value)
    .filter(([name]) => !FREE_TEXT.has(name))
    .flatMap(([name, field]) => variablesIn(field, [...steps, name]));
}
