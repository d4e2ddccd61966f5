import { paragraph } from '../markdown.ts';

/** Source text of Python as ruff formats it, so that what is generated needs no Python. */

const WIDTH = 120;

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const header = (source: string): string => `"""Generated from ${source} by \`npm run docs\`."""\n`;

/** Returns a docstring, or the text below what it describes: lines that are wrapped keep their paragraphs. */
export function docstring(text: string, indent = '    '): string {
  const [summary, ...others] = text.split('\n\n');
  const lines = [
    paragraph(`"""${summary}`, WIDTH - indent.length - 3),
    ...others.map((part) => wrapped(part, indent)),
  ];
  const whole = lines.join('\n\n');
  const end = whole.includes('\n') ? '\n"""' : '"""';
  return `${whole}${end}`
    .split('\n')
    .map((line) => (line ? `${indent}${line}` : ''))
    .join('\n');
}

const wrapped = (text: string, indent: string) =>
  text.includes('\n') ? text : paragraph(text, WIDTH - indent.length);

/** Returns an assignment of plain data. */
export const assignment = (target: string, value: unknown): string =>
  `${literal(value, { before: `${target} = ` })}\n`;

interface Around {
  readonly before?: string;
  readonly after?: string;
  readonly indent?: string;
}

/** Returns plain data between two texts: on one line, or one line for each of its items. */
function literal(value: unknown, { before = '', after = '', indent = '' }: Around): string {
  const line = `${indent}${before}${inLine(value)}${after}`;
  if (line.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, { after: ',', indent: inner }))
    : Object.entries(value).map(([name, item]) =>
        literal(item, { before: `${pythonText(name)}: `, after: ',', indent: inner }),
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [`${indent}${before}${open}`, ...items, `${indent}${close}${after}`].join('\n');
}

function inLine(value: unknown): string {
  if (typeof value === 'string') return pythonText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'None' : String(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${pythonText(name)}: ${inLine(item)}`)
    .join(', ')}}`;
}

/** A text with double quotes needs no backslashes between single ones. */
export const pythonText = (text: string): string =>
  text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text);

/** Returns the line of a field that may be None, as ruff wraps it. */
export function optionalField(name: string, type: string): string {
  const line = `    ${name}: ${type} | None`;
  return line.length <= WIDTH ? line : `    ${name}: (\n        ${type}\n        | None\n    )`;
}
