import type { Fault } from '../../../contracts/types.ts';
import type { Fields } from '../../../language/fields.ts';
import { truncate } from '../../../language/shorten.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import type { BuilderOptions } from './common-options.ts';
import { isMet } from './option-rules.ts';

/** Throws `InvalidManifestError` with each option that is absent, unknown or has a wrong value. */
export function checkOptions(given: Fields, options: BuilderOptions): void {
  const absent = Object.entries(options).filter(([name, { required }]) => required && !(name in given));
  const faults: Fault[] = [
    ...absent.map(([path, { rule }]) => ({ path, expected: rule.expected, got: 'nothing' })),
    ...Object.entries(given).flatMap(([path, value]) => faultOf(path, value, options)),
  ];
  if (faults.length > 0) throw new InvalidManifestError(faults, [], { of: 'options' });
}

function faultOf(path: string, value: unknown, options: BuilderOptions): Fault[] {
  const rule = Object.hasOwn(options, path) ? options[path]!.rule : undefined;
  if (rule && isMet(rule, value)) return [];
  const expected = rule?.expected ?? `one of the options ${Object.keys(options).join(', ')}`;
  return [{ path, expected, got: shownOption(value) }];
}

const shownOption = (value: unknown): string => truncate(JSON.stringify(value) ?? String(value), 80);
