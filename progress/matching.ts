import { RE2JS } from 're2js';

/**
 * A row of a table: an expression in RE2, and texts in lower case of which each line that matches has one. `beside`: another
 * text that it has, too.
 */
export interface FormRow {
  readonly literals: readonly string[];
  readonly beside?: string;
  readonly pattern: string;
}

export type Groups = Readonly<Record<string, string>>;

/** A row whose `find` returns what the named groups hold; undefined if the line does not match. */
export type Matching<R extends FormRow> = R & { readonly find: (line: Line) => Groups | undefined };

/** A line, cleaned, and the same in lower case. */
export interface Line {
  readonly text: string;
  readonly lower: string;
}

/** Expressions are compiled when they are first needed: most logs need few. */
export const compileRows = <R extends FormRow>(rows: readonly R[]): readonly Matching<R>[] =>
  rows.map((row) => ({ ...row, find: finder(row) }));

/** Returns a test that a line must pass before the rows are asked; each text is one of a row. */
export function hasOneOf(rows: readonly FormRow[]): (text: string) => boolean {
  const all = [...new Set(rows.flatMap((row) => row.literals))];
  // What has a longer text has the shorter one.
  const literals = all.filter((one) => !all.some((other) => other !== one && one.includes(other)));
  // Of our own, without anything to repeat: linear in the text.
  const either = new RegExp(
    literals.map((literal) => literal.replaceAll(/\W/g, String.raw`\$&`)).join('|'),
    'i',
  );
  return (text) => either.test(text);
}

function finder({ literals, beside = '', pattern }: FormRow): (line: Line) => Groups | undefined {
  const names = [...pattern.matchAll(/\(\?P<(\w+)>/g)].map(([, name]) => name!);
  let compiled: RE2JS | undefined;
  return ({ text, lower }) => {
    if (!lower.includes(beside) || !literals.some((literal) => lower.includes(literal))) return undefined;
    compiled ??= RE2JS.compile(pattern);
    const matcher = compiled.matcher(text);
    if (!matcher.find()) return undefined;
    const groups = names.flatMap((name) => {
      const value = matcher.group(name);
      // `step2` is another place for `step`: RE2 has each name once.
      return value === null || value === undefined ? [] : [[name.replace(/\d$/, ''), value] as const];
    });
    return Object.fromEntries(groups);
  };
}
