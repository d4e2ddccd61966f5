/**
 * JSON Schema of a number or a text, for schemas that check the value in code. The integer comes first: a reader takes
 * the first type that fits, and `4` must not become `4.0`.
 */
export const numberOrText = (numbers: Readonly<Record<string, number>>, text: RegExp) => ({
  anyOf: [
    { type: 'integer', ...numbers },
    { type: 'number', ...numbers },
    { type: 'string', pattern: text.source },
  ],
});
