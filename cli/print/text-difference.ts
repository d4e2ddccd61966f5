import type { ValueDifference } from '../../contracts/differences/structure.ts';
import { colours } from './output.ts';

/** Whether two values are better compared line by line: a script, also in `args`. One of them may be absent. */
export const isTextDifference = ({ a, b }: ValueDifference): boolean =>
  [a, b].every((value) => value === undefined || isText(value)) &&
  [a, b].flat().some((text) => String(text).includes('\n'));

const isText = (value: unknown): boolean => [value].flat().every((item) => typeof item === 'string');

/** Returns the lines that differ as `diff -u` does, below the path of the text. */
export async function textDifference(
  { path, a, b }: ValueDifference,
  [nameA, nameB]: readonly [string, string],
): Promise<string> {
  const [{ createTwoFilesPatch, FILE_HEADERS_ONLY }, { stringify }] = await Promise.all([
    import('diff'),
    import('yaml'),
  ]);
  const nameOf = (value: unknown, name: string) => (value === undefined ? 'nothing' : name);
  const textOf = (value: unknown = '') => (typeof value === 'string' ? value : stringify(value));
  const patch = createTwoFilesPatch(nameOf(a, nameA), nameOf(b, nameB), textOf(a), textOf(b), '', '', {
    ...{ context: 3, headerOptions: FILE_HEADERS_ONLY },
  });
  return [colours.bold(path), ...patch.replace(/\n$/, '').split('\n').map(painted)].join('\n');
}

function painted(line: string): string {
  if (line.startsWith('+')) return colours.green(line);
  if (line.startsWith('-')) return colours.red(line);
  return line.startsWith('@@') ? colours.cyan(line) : line;
}
