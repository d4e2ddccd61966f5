/** How expressions in CEL are written, by which the API server finds what the parser finds, too. */

export const celText = (value: string) => JSON.stringify(value);

export const celList = (values: readonly string[]) => `[${values.map(celText).join(', ')}]`;

const MARK = '\u0000';

/** Stands, in a sentence, for the text that an expression gives. */
export const celPlace = (expression: string) => `${MARK}${expression}${MARK}`;

/** Returns the expression for a sentence with such places: the parser and the API server then say the same. */
export const celSentence = (sentence: string): string =>
  sentence
    .split(MARK)
    .map((part, index) => (index % 2 === 0 ? celText(part) : `string(${part})`))
    .filter((part) => part !== '""')
    .join(' + ');

/** What policies know of a role: its fields, its pod's, and containers; empty without the role. */
export const celRole = (role: string) => ({
  fields: `variables.${role}`,
  template: `variables.${role}Template`,
  pod: `variables.${role}Pod`,
  containers: `variables.${role}Containers`,
});
