/** A value of an answer: what JSON has, and times as RFC 3339. */
export type AnswerCell =
  | string
  | number
  | boolean
  | null
  | readonly AnswerCell[]
  | { readonly [name: string]: AnswerCell };

/** Converts a value of DuckDB. A number that JSON cannot say exactly becomes text. */
export function answerCell(value: unknown): AnswerCell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(answerCell);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, answerCell(one)]));
}
