/** Conditions of Temporal's visibility queries. */

/** Quotes a value. */
export function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export const quotedList = (values: readonly string[]): string => values.map(quoted).join(', ');

export const attributeIs = (attribute: string, value: string): string => `${attribute} = ${quoted(value)}`;

export const anyClause = (clauses: readonly string[]): string =>
  clauses.length === 1 ? clauses[0]! : `(${clauses.join(' OR ')})`;
