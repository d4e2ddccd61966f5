import { z } from 'zod';
import { numberOrText } from '../../contracts/schemas/number-or-text.ts';
import { errorMessage } from '../../language/error-message.ts';
import { compilePattern } from '../../language/pattern.ts';

/** The sorts of values that a policy has. */

export const numberFrom = (least: number, most: number) =>
  z
    .custom<number>((given) => typeof given === 'number' && given >= least && given <= most, {
      error: `a number from ${least} to ${most}`,
    })
    .meta({ type: 'number', minimum: least, maximum: most });

/** Passes on RE2's error message. */
export const pattern = z
  .string()
  .min(1)
  .superRefine((source, context) => {
    try {
      compilePattern(source);
    } catch (error) {
      const message = `an RE2 regular expression (${errorMessage(error)})`;
      context.addIssue({ code: 'custom', message });
    }
  });

const AN_ANNOTATION = 'an annotation key, e.g. example.com/step';
/** The API server's rule: an optional DNS prefix, and a name of at most 63 characters. */
export const annotationKey = z
  .string()
  .max(317)
  .regex(/^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[^/]+$/, {
    error: AN_ANNOTATION,
  })
  .regex(/(^|\/)[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/, { error: AN_ANNOTATION });

const EXIT_CODES = 'an exit code from 1 to 255, or a range of them, e.g. 100-120';
const RANGE = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/;
const isExitCode = (code: number) => Number.isInteger(code) && code >= 1 && code <= 255;
export const exitCodes = z
  .union([z.string(), z.number()], { error: EXIT_CODES })
  .transform(rangeOf)
  .refine(([from, to]) => isExitCode(from) && isExitCode(to) && from <= to, { error: EXIT_CODES })
  .meta(numberOrText({ minimum: 1, maximum: 255 }, RANGE));

const word = z.string().min(1).max(253);
export const wordList = z.array(word).min(1).max(50);

export const absolutePath = z
  .string()
  .max(1024)
  .regex(/^(?!.*\/\.{1,2}(\/|$))(\/[^/:]+){2,}$/, {
    error: 'the absolute path of a file in its own directory, e.g. /signalbox/checkpoint',
  });

function rangeOf(given: string | number): readonly [number, number] {
  const [, from = 'none', to = from] = RANGE.exec(String(given)) ?? [];
  return [Number(from), Number(to)];
}
