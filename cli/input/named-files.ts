import { UsageError } from '../shell/errors.ts';

/** Reads each `NAME=FILE` of an option --file. */
export function namedFiles(options: readonly string[]): Record<string, string> {
  const files = new Map<string, string>();
  for (const option of options) {
    const at = option.indexOf('=');
    const [name, path] = [option.slice(0, at), option.slice(at + 1)];
    if (at <= 0 || !path) throw invalid('OUTPUT=FILE, e.g. model=model.safetensors', option);
    if (files.has(name)) throw invalid('each output once', option);
    files.set(name, path);
  }
  return Object.fromEntries(files);
}

const invalid = (expected: string, got: string) =>
  new UsageError(`--file: expected ${expected}; got ${JSON.stringify(got)}.`);
