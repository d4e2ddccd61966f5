import { z } from 'zod';
import { compilePattern } from '../../contracts/pattern.ts';
import { CHECKPOINT_SIGNALS, NODE_TROUBLES, RESTART_SCOPES } from '../../contracts/policy.ts';
import { INT32 } from '../manifest/manifest-schema.ts';
import { durationSchema, someTime } from './duration.ts';

const number = (least: number, most: number) =>
  z.custom<number>((given) => typeof given === 'number' && given >= least && given <= most, {
    error: `a number from ${least} to ${most}`,
  });

/** Passes on RE2's error message. */
const pattern = z
  .string()
  .min(1)
  .superRefine((source, context) => {
    try {
      compilePattern(source);
    } catch (error) {
      const message = `an RE2 regular expression (${(error as Error).message})`;
      context.addIssue({ code: 'custom', message });
    }
  });

const AN_ANNOTATION = 'an annotation key, e.g. example.com/step';
/** The API server's rule: an optional DNS prefix, and a name of at most 63 characters. */
const annotationKey = z
  .string()
  .max(317)
  .regex(/^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[^/]+$/, {
    error: AN_ANNOTATION,
  })
  .regex(/(^|\/)[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/, { error: AN_ANNOTATION });

const rung = z.object({
  scope: z.enum(RESTART_SCOPES),
  times: z.int().min(1).max(INT32).optional(),
  within: someTime.optional(),
});

const backOff = z.object({
  firstAtOnce: z.boolean().optional(),
  initial: durationSchema.optional(),
  factor: number(1, 100).optional(),
  max: durationSchema.optional(),
  jitter: number(0, 1).optional(),
  resetAfter: someTime.optional(),
});

const EXIT_CODES = 'an exit code from 1 to 255, or a range of them, e.g. 100-120';
const isExitCode = (code: number) => Number.isInteger(code) && code >= 1 && code <= 255;
const exitCodes = z
  .union([z.string(), z.number()], { error: EXIT_CODES })
  .transform(rangeOf)
  .refine(([from, to]) => isExitCode(from) && isExitCode(to) && from <= to, { error: EXIT_CODES });

const word = z.string().min(1).max(253);
const wordList = z.array(word).min(1).max(50);

/** The format of a class name. */
export const CLASS_NAME = {
  regex: /^[A-Za-z][A-Za-z0-9]*$/,
  error: 'letters and digits, starting with a letter',
};

const rule = z.object({
  class: z.string().max(63).regex(CLASS_NAME.regex, { error: CLASS_NAME.error }),
  exitCodes: z.array(exitCodes).min(1).max(50).optional(),
  pattern: pattern.optional(),
  reasons: wordList.optional(),
  roles: wordList.optional(),
});

const failureClass = z.object({
  final: z.boolean().optional(),
  free: z.boolean().optional(),
  budget: z.int().min(0).max(INT32).optional(),
  /** Only for startUp. */
  after: someTime.optional(),
});

const absolutePath = z
  .string()
  .max(1024)
  .regex(/^(?!.*\/\.{1,2}(\/|$))(\/[^/:]+){2,}$/, {
    error: 'the absolute path of a file in its own directory, e.g. /signalbox/checkpoint',
  });

/** The YAML document in the annotation signalbox.dev/policy; durations are parsed to milliseconds. */
export const policySchema = z.object({
  restart: z
    .object({
      ladder: z.array(rung).min(1).max(RESTART_SCOPES.length).optional(),
      backOff: backOff.optional(),
      refundOnProgress: z.boolean().optional(),
    })
    .optional(),
  failures: z
    .object({
      rules: z.array(rule).max(50).optional(),
      classes: z.record(z.string(), failureClass).optional(),
    })
    .optional(),
  progress: z
    .object({
      log: pattern.optional(),
      annotation: annotationKey.optional(),
      stalledAfter: someTime.optional(),
    })
    .optional(),
  nodes: z
    .object({
      lostAfter: durationSchema.optional(),
      troubles: z.array(z.enum(NODE_TROUBLES)).min(1).optional(),
      avoidFor: durationSchema.optional(),
      avoidAtMost: z.int().min(1).max(100).optional(),
      forceDeleteAfter: durationSchema.optional(),
    })
    .optional(),
  refusals: z.object({ failAfter: someTime.optional() }).optional(),
  evidence: z.object({ logLines: z.int().min(0).max(1000).optional() }).optional(),
  holdOnFailure: durationSchema.optional(),
  checkpoint: z
    .object({
      file: absolutePath.optional(),
      signal: z.enum(CHECKPOINT_SIGNALS).optional(),
      within: someTime.optional(),
      acknowledgedBy: z.object({ log: pattern.optional(), annotation: annotationKey.optional() }).optional(),
    })
    .optional(),
  scaleByRestart: z.boolean().optional(),
});
export type PolicyFields = z.infer<typeof policySchema>;

function rangeOf(given: string | number): readonly [number, number] {
  const [, from = 'none', to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(String(given)) ?? [];
  return [Number(from), Number(to)];
}
