/** Returns a text that means nothing in Markdown, in one line. */
export const plainInMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*|<>[\]]/g, '\\$&');

/** Returns a text as code, in one line. */
export const codeInMarkdown = (text: string): string =>
  `\`${text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|')}\``;
