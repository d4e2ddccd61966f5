/** Control and format characters, e.g. marks that turn the direction of text, and halves of surrogate pairs. */
const WITHOUT_A_FORM = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Shows characters that have no form of their own, or that would change how the text around them looks: `^[` for ESC, as
 * `cat -v` and git do, `<U+202E>` for others. Names, messages and log lines come from anywhere.
 */
export const visible = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(WITHOUT_A_FORM, (character) => formOf(character.codePointAt(0)!));

const DELETE = 0x7f;

const formOf = (code: number): string =>
  code < 0x20 || code === DELETE
    ? `^${String.fromCharCode(code ^ 0x40)}`
    : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;

/** Escapes the same characters in JSON, which stays the same document. */
export const escapedInJson = (json: string): string =>
  json.replaceAll(WITHOUT_A_FORM, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
