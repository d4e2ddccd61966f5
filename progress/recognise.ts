import { withoutUndefined } from '../language/fields.ts';
import { asLine, cleanLine, withoutPrefix } from './clean-line.ts';
import { FIELD_LINES, FORMS, NO_STEPS, PLAIN } from './forms.ts';
import { hasOtherLoss, lossIn, lossOf, secondsPerStepIn } from './line-fields.ts';
import { MARKS } from './marks.ts';
import { type Groups, hasOneOf, type Line } from './matching.ts';

/** What a line of a training program says; undefined if it says nothing of steps and checkpoints. */
export type LineReading =
  | StepReading
  /** The program lives: it evaluates, or does something before and between steps. */
  | { readonly kind: 'evaluation' | 'other' }
  /** A checkpoint has begun, is complete, or the program goes on from one. */
  | { readonly kind: 'saving' | 'saved' | 'resumed'; readonly step?: number }
  /** Goes with the report before or after it. */
  | { readonly kind: 'field'; readonly epoch?: number; readonly epochs?: number; readonly loss?: Loss };

type Loss = number | 'nan';

/** A training step. */
export interface StepReading {
  readonly kind: 'progress';
  readonly form: string;
  /** Steps of the whole run, as printed. */
  readonly step?: number;
  readonly total?: number;
  /** The number is rounded to thousands. */
  readonly isRounded?: true;
  /** Where the program counts in each epoch anew. */
  readonly epoch?: number;
  readonly within?: number;
  readonly withinTotal?: number;
  /** What the program calls its first epoch. */
  readonly epochsFrom?: number;
  /** Tokens or samples instead of steps. */
  readonly amount?: number;
  readonly amountTotal?: number;
  readonly unit?: string;
  /** Which bar it is, of a form that may draw several. */
  readonly bar?: string;
  readonly loss?: Loss;
  readonly secondsPerStep?: number;
}

const mayBeRead = hasOneOf([...FORMS, PLAIN, ...NO_STEPS, ...FIELD_LINES, ...MARKS]);

/** Reads a line as it was written, with colours and all frames of a bar: the last one counts. */
export function recognise(written: string): LineReading | undefined {
  // One test rules most lines out; the rest is cleaned.
  if (!mayBeRead(written)) return undefined;
  const text = cleanLine(written);
  const line = asLine(withoutPrefix(text));
  const noSteps = NO_STEPS.find(({ find }) => find(line));
  if (noSteps) return { kind: noSteps.kind as 'evaluation' | 'other' };
  return markIn(line) ?? stepIn(line) ?? plainStepIn(line) ?? fieldIn(line);
}

function markIn(line: Line): LineReading | undefined {
  for (const { find, kind } of MARKS) {
    const groups = find(line);
    if (groups) return { kind, ...withoutUndefined({ step: numberOf(groups.s) }) };
  }
  return undefined;
}

function stepIn(line: Line): StepReading | undefined {
  for (const { find, ...row } of FORMS) {
    const groups = find(line);
    if (groups) return stepOf(groups, row, line);
  }
  return undefined;
}

function stepOf(
  groups: Groups,
  {
    form,
    epochsFrom,
    isBar,
  }: { readonly form: string; readonly epochsFrom?: number; readonly isBar?: boolean },
  line: Line,
): StepReading {
  const { n, nTotal, desc = '' } = groups;
  return {
    ...{ kind: 'progress', form },
    ...withoutUndefined({
      step: numberOf(groups.step ?? n),
      total: numberOf(groups.total ?? nTotal),
      isRounded: n && /[kMGT]$/.test(n) ? (true as const) : undefined,
      epoch: numberOf(groups.epoch),
      within: numberOf(groups.within),
      withinTotal: numberOf(groups.withinTotal),
      epochsFrom: groups.within === undefined ? undefined : epochsFrom,
      amount: numberOf(groups.amount),
      amountTotal: numberOf(groups.amountTotal),
      unit: groups.unit,
      bar: isBar ? `${desc}/${nTotal}` : undefined,
      loss: lossIn(line),
      secondsPerStep: secondsPerStepIn(line),
    }),
  };
}

/** A number beside a word may be anything; beside the loss of a training it is a step. */
function plainStepIn(line: Line): StepReading | undefined {
  const groups = PLAIN.find(line);
  if (!groups || lossIn(line) === undefined || hasOtherLoss(line)) return undefined;
  return stepOf(groups, PLAIN, line);
}

function fieldIn(line: Line): LineReading | undefined {
  for (const { find } of FIELD_LINES) {
    const groups = find(line);
    if (!groups) continue;
    const { epoch, epochs, loss } = groups;
    return {
      kind: 'field',
      ...withoutUndefined({ epoch: numberOf(epoch), epochs: numberOf(epochs), loss: lossOf(loss) }),
    };
  }
  return undefined;
}

const FACTORS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `1,250` and `4.50k` are numbers, too. */
function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const factor = FACTORS[text.at(-1)!];
  const value = Number((factor ? text.slice(0, -1) : text).replaceAll(',', '')) * (factor ?? 1);
  return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : undefined;
}
