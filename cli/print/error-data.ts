import type { Fault } from '../../contracts/types.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import { remedyOf } from '../shell/errors.ts';
import { dataText } from './output.ts';

/** An error for programs. */
export interface ErrorData {
  /** `Usage`, or that of the client's error; `Unexpected` for all others. */
  readonly code: string;
  readonly message: string;
  /** What is wrong with a manifest, by path. */
  readonly faults?: readonly Fault[];
  readonly remedy?: string;
}

export function errorData(error: unknown): ErrorData {
  const remedy = remedyOf(error);
  const faults = error instanceof Error && 'faults' in error ? error.faults : undefined;
  return {
    code: errorCode(error) ?? 'Unexpected',
    message: errorMessage(error),
    ...(Array.isArray(faults) ? { faults } : {}),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** What commander says of a command line; the lines after the first say what to type instead. */
export function usageErrorData(text: string): ErrorData {
  const [first = '', ...more] = text.trim().split('\n');
  const remedy = more.join(' ');
  return { code: 'Usage', message: first.replace(/^error: /, ''), ...(remedy ? { remedy } : {}) };
}

/** Prints an error in one line of JSON, so that programs find it among remarks on standard error. */
export function writeErrorData(data: ErrorData): void {
  process.stderr.write(`${dataText(JSON.stringify({ error: data }), 'json', process.stderr.isTTY)}\n`);
}

/** Whether a command line asks for JSON. Also known where its own parser has refused it. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word, index) => {
    const [, joined] = /^(?:--output=|-o=?)(.+)$/.exec(word) ?? [];
    const format = joined ?? (word === '-o' || word === '--output' ? words[index + 1] : undefined);
    return format === 'json' || format === 'jsonl';
  });
}
