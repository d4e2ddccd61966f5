import { emitKeypressEvents, type Key } from 'node:readline';
import { differences, SCREEN } from './screen.ts';

interface TerminalEvents {
  readonly pressed: (key: string) => void;
  readonly resized: () => void;
  /** There is no more input: the terminal is gone. */
  readonly ended: () => void;
}

/** A terminal that shows frames and hears keys. However the process ends, the terminal is left as it was. */
export class Terminal {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  #shown: readonly string[] | undefined;
  #isOpen = false;
  /** Not written yet: a slow line gets the newest frame, not all. */
  #waiting: readonly string[] | undefined;
  readonly #undo: (() => void)[] = [];

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    const { columns = 80, rows = 24 } = this.#output;
    return { columns: columns - 1, rows };
  }

  open({ pressed, resized, ended }: TerminalEvents): void {
    emitKeypressEvents(this.#input);
    this.#on(this.#input, 'keypress', (text: string | undefined, key: Key) => pressed(keyName(text, key)));
    this.#on(this.#input, 'end', ended);
    this.#on(this.#input, 'error', ended);
    this.#on(this.#output, 'resize', () => {
      this.redraw();
      resized();
    });
    this.#on(this.#output, 'drain', () => this.#write());
    this.#on(process, 'exit', this.#leave);
    // Before Node prints an error, which the other screen would take with it.
    this.#on(process, 'uncaughtExceptionMonitor', this.#leave);
    for (const signal of SIGNALS) this.#on(process, signal, () => this.#endBy(signal));
    this.#on(process, 'SIGCONT', () => {
      this.#enter();
      resized();
    });
    this.#enter();
  }

  close(): void {
    this.#leave();
    for (const undo of this.#undo.splice(0)) undo();
    this.#input.pause();
  }

  draw(lines: readonly string[]): void {
    this.#waiting = lines;
    if (!this.#output.writableNeedDrain) this.#write();
  }

  /** The next frame is written as a whole. */
  redraw(): void {
    this.#shown = undefined;
  }

  /** Stops the process, as the terminal itself would do. */
  suspend(): void {
    this.#leave();
    process.kill(0, 'SIGTSTP');
  }

  #write(): void {
    const lines = this.#waiting;
    if (!lines || !this.#isOpen) return;
    this.#waiting = undefined;
    const text = differences(this.#shown, lines);
    this.#shown = lines;
    if (text !== '') this.#output.write(text);
  }

  #enter(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#input.setRawMode(true);
    this.#input.resume();
    this.#output.write(SCREEN.open);
    this.redraw();
  }

  readonly #leave = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#input.setRawMode(false);
      this.#output.write(SCREEN.close);
    } catch {
      // The terminal is gone.
    }
  };

  /** Ends as the signal would have ended the process. */
  #endBy(signal: NodeJS.Signals): void {
    this.close();
    process.kill(process.pid, signal);
  }

  #on(emitter: NodeJS.EventEmitter, event: string, listener: (...args: never[]) => void): void {
    const heard = listener as (...args: unknown[]) => void;
    emitter.on(event, heard);
    this.#undo.push(() => emitter.off(event, heard));
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns what `keys.ts` calls a key: the character that it types, or its name. */
export function keyName(text: string | undefined, { name, ctrl, meta }: Key): string {
  if (ctrl && name) return `ctrl+${name}`;
  if (meta && name !== 'escape') return `meta+${name ?? ''}`;
  if (name === 'enter') return 'return';
  const isTyped = text !== undefined && [...text].length === 1 && text >= ' ' && text !== '\u007f';
  return isTyped ? text : (name ?? '');
}
