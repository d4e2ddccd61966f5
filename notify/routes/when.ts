import { z } from 'zod';
import { ENGINE_CONDITIONS, type EngineCondition } from '../../contracts/engine-conditions.ts';
import { REASON_CODES, REASONS } from '../../contracts/reasons.ts';
import { someTime } from '../../contracts/schemas/duration.ts';
import { PHASES } from '../../contracts/status.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { keysOf } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { isOneOf } from '../../language/one-of.ts';

/** What a route is about. All that is given must hold; of a list, one. */
export type When = z.infer<typeof whenSchema>;

const REASON_CLASSES = [...new Set(Object.values(REASONS).map((entry) => entry.class))];

const pattern = z.string().min(1);

/** One, or a list of several. */
const oneOrMore = <T extends z.ZodType>(schema: T) =>
  z.union([z.array(schema).min(1), schema.transform((one) => [one])]) as unknown as z.ZodType<
    readonly z.infer<T>[]
  >;

/** Names that are known, one or a list: the fault names the one that was probably meant. */
function known<const T extends string>(what: string, names: readonly T[]) {
  const list = names.length <= 12 ? `${what}: one of ${names.join(', ')}` : `${what} of docs/states.md`;
  return z.unknown().transform((given, context): readonly T[] => {
    const all: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (all.length === 0) context.addIssue({ code: 'custom', message: `at least one: ${list}` });
    for (const [index, one] of all.entries())
      if (!isOneOf(names, one))
        context.addIssue({
          ...{ code: 'custom', message: near(list, one, names) },
          path: Array.isArray(given) ? [index] : [],
        });
    return all as readonly T[];
  });
}

function near(expected: string, given: unknown, names: readonly string[]): string {
  const meant = typeof given === 'string' ? nearest(given, names) : undefined;
  return meant === undefined ? expected : `${expected} (${didYouMean(meant)})`;
}

export const whenSchema = z
  .strictObject({
    namespace: oneOrMore(pattern).optional().describe('Namespaces of jobs; `ml-*` are all that begin so.'),
    name: oneOrMore(pattern).optional().describe('Names of jobs, in the same way.'),
    kind: oneOrMore(pattern).optional().describe('Kinds of jobs.'),
    labels: z.record(z.string(), z.string()).optional().describe('metadata.labels of the manifest.'),
    submittedBy: oneOrMore(pattern).optional().describe('Who submitted the job.'),
    phase: known('a phase', PHASES).optional().describe('Phases.'),
    reason: known('a reason', REASON_CODES).optional().describe('Reasons (docs/states.md).'),
    class: known('a class of reasons', REASON_CLASSES)
      .optional()
      .describe('Classes of reasons: program, infrastructure, limit, …'),
    silent: z
      .literal(true)
      .optional()
      .describe('The program makes no steps for longer than usual (docs/why.md).'),
    budgetUsed: z
      .custom<number>(isShare, { error: 'a number > 0 and <= 1, e.g. 0.5' })
      .optional()
      .describe('So much of the restarts of the job, or of a class of failures, is used.'),
    goodputBelow: z
      .custom<number>(isShare, { error: 'a number > 0 and <= 1, e.g. 0.5' })
      .optional()
      .describe(
        'An attempt has ended that used less than so much of the time of its devices productively (docs/cost.md).',
      ),
    for: someTime.optional().describe('Only when all of that holds for so long.'),
    engine: known('a condition of the engine', keysOf(ENGINE_CONDITIONS))
      .optional()
      .describe('What the engine itself cannot do.'),
  })
  .superRefine((when, context) => {
    const given = keysOf(when).filter((name) => when[name] !== undefined);
    const others = given.filter((name) => name !== 'engine' && name !== 'for');
    if (when.engine && others.length > 0)
      context.addIssue({
        ...{ code: 'custom', path: [others[0]!] },
        message: 'nothing of jobs beside engine: two routes may have one receiver',
      });
    else if (when.goodputBelow !== undefined && when.for !== undefined)
      context.addIssue({
        ...{ code: 'custom', path: ['for'] },
        message: 'none beside goodputBelow: it is told when an attempt ends',
      });
    else if (!when.engine && !STATES.some((name) => when[name] !== undefined))
      context.addIssue({ code: 'custom', message: `at least one of ${STATES.join(', ')}, engine` });
  });

/** What makes a notice; the others only choose jobs. */
const STATES = ['phase', 'reason', 'class', 'silent', 'budgetUsed', 'goodputBelow'] as const;

function isShare(given: unknown): boolean {
  return typeof given === 'number' && given > 0 && given <= 1;
}

export const isAboutEngine = (when: When): when is When & { readonly engine: readonly EngineCondition[] } =>
  when.engine !== undefined;
