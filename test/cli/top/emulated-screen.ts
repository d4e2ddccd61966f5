/** What a terminal shows of what is written to it. Knows the sequences of `top`, and throws for any other. */
export class EmulatedScreen {
  #rows: string[][] = [];
  #row = 0;
  #column = 0;
  #pending = '';
  /** Modes that are set, e.g. `1049`: the other screen. */
  readonly modes = new Set<string>();
  readonly height: number;
  readonly width: number;

  constructor({ height, width }: { readonly height: number; readonly width: number }) {
    this.height = height;
    this.width = width;
    this.#clear();
  }

  get lines(): readonly string[] {
    return this.#rows.map((row) => row.join('').trimEnd());
  }

  get text(): string {
    return this.lines.join('\n').trimEnd();
  }

  write(text: string): void {
    let rest = this.#pending + text;
    this.#pending = '';
    while (rest !== '') {
      const [sequence] = SEQUENCE.exec(rest) ?? [];
      if (sequence === undefined && rest.startsWith(ESCAPE) && rest.length < LONGEST) {
        this.#pending = rest;
        return;
      }
      const [character = ''] = rest;
      if (sequence === undefined) this.#put(character);
      else this.#perform(sequence);
      rest = rest.slice((sequence ?? character).length);
    }
  }

  #put(character: string): void {
    if (character === ESCAPE) throw new Error('a sequence that top does not write');
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#row += 1;
    else {
      const row = this.#rows[this.#row];
      if (row && this.#column < this.width) row[this.#column] = character;
      this.#column = Math.min(this.#column + 1, this.width - 1);
    }
  }

  #perform(sequence: string): void {
    const { mode, is, row, column, erase } = SEQUENCE.exec(sequence)!.groups!;
    if (mode) this.modes[is === 'h' ? 'add' : 'delete'](mode);
    if (mode === '1049') this.#clear();
    if (row) [this.#row, this.#column] = [Number(row) - 1, Number(column) - 1];
    if (erase === 'K') this.#rows[this.#row]?.fill(' ', this.#column);
    if (erase === '2J') this.#clear();
  }

  #clear(): void {
    this.#rows = Array.from({ length: this.height }, () => Array.from({ length: this.width }, () => ' '));
    [this.#row, this.#column] = [0, 0];
  }
}

const ESCAPE = '\u001b';
const LONGEST = 12;
/** Modes, places, erasure, colours. */
const SEQUENCE = new RegExp(
  `^${ESCAPE}\\[(?:\\?(?<mode>\\d+)(?<is>[hl])|(?<row>\\d+);(?<column>\\d+)H|(?<erase>K|2J)|[\\d;]*m)`,
);
