import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { terminalText } from '../print/terminal-text.ts';
import { clock } from '../print/times.ts';
import { loggedError } from './logged-error.ts';

/** JSON lines on standard error; readable lines on a terminal. */
export const createLog = (level: string): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => loggedError(error, { debug: level === 'debug' }) },
    },
    process.stderr.isTTY ? forPeople(process.stderr) : pino.destination({ dest: 2, sync: true }),
  );

/** `08:15:02 info  watcher  started  {"jobs":3}` */
function forPeople(stream: { write(text: string): unknown }): DestinationStream {
  return {
    write(line: string) {
      const { time, level, part, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const more = Object.keys(rest).length ? `  ${JSON.stringify(rest)}` : '';
      const error = err as { stack?: string; message?: string } | undefined;
      const parts = [
        clock(String(time)),
        String(level).padEnd(5),
        String(part ?? '').padEnd(7),
        String(msg ?? ''),
      ];
      const text = `${parts.join(' ')}${more}${error ? `\n  ${error.stack ?? error.message}` : ''}`;
      stream.write(`${terminalText(text)}\n`);
    },
  };
}
