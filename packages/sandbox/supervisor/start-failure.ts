import { readFileSync } from 'node:fs';
import { DiskFull, diskFull, isDiskFull, SandboxError } from '../errors.ts';

const LINES = 12;
const LARGEST_BYTES = 100_000;

/** Remedies for known failures, by what programs log. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/address already in use/i, 'another process took the port meanwhile: run `signalbox sandbox up` again'],
  [
    /permission denied/i,
    'the files of the sandbox must belong to you: look at their owner, or use another --dir',
  ],
  [
    /corrupt|malformed|checksum mismatch|unexpected EOF/i,
    'its data is damaged: `signalbox sandbox reset` starts from nothing',
  ],
];

/** The part of a log file that belongs to this start of a component. */
export interface LogPart {
  readonly path: string;
  readonly from: number;
}

/** Reports the component, how it ended, the last lines of its log, and a remedy. */
export function startFailure(name: string, how: string, log: LogPart): SandboxError {
  const written = read(log);
  const tail = lastLines(log);
  if (isDiskFull(written))
    return new DiskFull(`${name}: ${how}. Last lines of ${log.path}:\n${tail}`, diskFull(log.path).remedy);
  const remedy = REMEDIES.find(([pattern]) => pattern.test(written))?.[1];
  return new SandboxError(
    `${name}: ${how} before it was ready. Last lines of ${log.path}:\n${tail}`,
    remedy ?? `read ${log.path}; if its data is damaged, \`signalbox sandbox reset\` starts from nothing`,
  );
}

/** Ends at the panic of a Go program: the stack trace does not help users. */
export function lastLines(log: LogPart): string {
  const lines = read(log).trimEnd().split('\n');
  const panic = lines.findIndex((line) => /^(panic|fatal error): /.test(line));
  const end = panic < 0 ? lines.length : panic + 1;
  return lines
    .slice(Math.max(0, end - LINES), end)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n');
}

function read({ path, from }: LogPart): string {
  try {
    const content = readFileSync(path);
    return content.subarray(Math.max(from, content.length - LARGEST_BYTES)).toString();
  } catch {
    return '(no log)';
  }
}
