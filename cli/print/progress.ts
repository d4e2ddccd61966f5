import type { ProgressReport } from '@signalbox/sandbox';
import { formatDuration } from '../../language/duration.ts';
import { terminalText } from './terminal-text.ts';

/** Steps are shown only if they take longer than this. */
const QUIET_MS = 2_000;
/** Without a terminal a line now and then shows that it is alive, without flooding a CI log. */
const PLAIN_EVERY_MS = 15_000;
const TTY_EVERY_MS = 200;

export interface TerminalProgress extends ProgressReport {
  /** Clears the line that is updated in place, before something else is printed. It is shown again after that. */
  clear(): void;
  /** Clears the line that is updated in place. Nothing is shown after this. */
  end(): void;
}

/** Shows the current step with its elapsed time: in place on a terminal, as a plain line now and then elsewhere. */
export function createProgress(stream: NodeJS.WriteStream): TerminalProgress {
  let step = '';
  let detail = '';
  let since = 0;
  let shownAt = 0;
  const timer = setInterval(show, TTY_EVERY_MS);
  timer.unref();

  function show(): void {
    const now = Date.now();
    if (step === '' || now - since < QUIET_MS) return;
    const line = terminalText(
      `${step}${detail === '' ? '' : `, ${detail}`} (${formatDuration(now - since)})`,
    );
    if (stream.isTTY) stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`);
    else if (now - shownAt >= PLAIN_EVERY_MS) {
      stream.write(`${line}\n`);
      shownAt = now;
    }
  }

  function clear(): void {
    if (!stream.isTTY) return;
    stream.write('\r\u001b[K');
    setImmediate(show);
  }

  return {
    step(text) {
      if (text === step) return;
      step = text;
      detail = '';
      since = Date.now();
      shownAt = 0;
    },
    detail(text) {
      detail = text;
    },
    clear,
    note(text) {
      clear();
      stream.write(`${terminalText(text)}\n`);
    },
    end() {
      clearInterval(timer);
      clear();
      step = '';
    },
  };
}
