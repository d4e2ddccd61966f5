/** What is typed at a prompt, and the lines below it. */
export interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
}

/** The commands of a page's blocks of type `console`. */
export const shownOn = (page: string): Shown[] =>
  [...page.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...lines] = part.trimEnd().split('\n');
        return { command, lines: lines.filter(Boolean) };
      }),
  );
