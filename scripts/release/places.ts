import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the same value stands, by file: each match of a pattern has it as its group. */
export type Places = Readonly<Record<string, readonly RegExp[]>>;

/** A value in a place. */
interface Found {
  readonly place: string;
  readonly value: string;
}

/** Returns the values in the checkout in the folder `root`. Throws if a place has none. */
export const valuesIn = (root: string, places: Places): readonly Found[] =>
  Object.entries(places).flatMap(([file, patterns]) => {
    const text = readFileSync(join(root, file), 'utf8');
    return patterns.flatMap((pattern) => {
      const found = [...text.matchAll(pattern)].map(([, value]) => ({ place: file, value: value! }));
      if (found.length === 0) throw new Error(`${file}: expected a match of ${pattern.source}, got none`);
      return found;
    });
  });

/** Sets the value everywhere. Returns the files that have it now and had another one. */
export function setValue(root: string, places: Places, value: string): readonly string[] {
  const others = valuesIn(root, places).filter((found) => found.value !== value);
  for (const [file, patterns] of Object.entries(places)) {
    const before = readFileSync(join(root, file), 'utf8');
    const after = patterns.reduce(
      (text, pattern) => text.replaceAll(pattern, (match, old: string) => withLast(match, old, value)),
      before,
    );
    if (after !== before) writeFileSync(join(root, file), after);
  }
  return [...new Set(others.map(({ place }) => place))];
}

const withLast = (text: string, old: string, value: string) => {
  const at = text.lastIndexOf(old);
  return `${text.slice(0, at)}${value}${text.slice(at + old.length)}`;
};
