import { logFields } from '../../contracts/log-words.ts';
import { messageOfCause } from '../../contracts/message-of-cause.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Explanation, ShapePlacement, WaitReason, WhyAnswer } from '../../contracts/types.ts';
import {
  excludedTexts,
  fitText,
  heldByText,
  nodeClassText,
  placementText,
  shortTexts,
  sparesText,
  WHO_CAN_CHANGE,
  waitedTexts,
} from '../../explain/why-words.ts';
import { fieldsOf } from './field.ts';
import { colours, painted } from './output.ts';
import { between, withoutMilliseconds } from './times.ts';

/** Formats an answer for people: the reason first, then what else, then the nodes. */
export function whyText(answer: WhyAnswer): string {
  const { reasons, placements, spares, warnings = [], notes = [], unknown } = answer;
  const { explanation } = answer;
  const [first, ...others] = reasons;
  const lines = [
    headOf(answer),
    ...(first
      ? reasonLines(first)
      : explanation
        ? explanationLines(explanation, answer.errorLine)
        : [field('now', fitText(answer))]),
    field('advice', answer.advice),
    ...logFields(answer).map(([name, text]) => field(name, text)),
    ...others.map(({ code, sentence }) => field('also', `${code}: ${sentence}`)),
    ...(spares ? [field('spares', sparesText(spares)), field('said', spares.said)] : []),
    ...waitedTexts(answer).map((text) => field('waited', text)),
    ...warnings.map((sentence) => field('warning', sentence)),
    ...notes.map((sentence) => field('note', sentence)),
    ...unknown.map((sentence) => field('unknown', sentence)),
  ];
  const parts = [lines.filter(Boolean).join('\n'), ...placements.map((one) => placementLines(one, answer))];
  return parts.join('\n\n');
}

const field = fieldsOf(8);

function headOf({ kind, namespace, name, phase, explanation }: WhyAnswer): string {
  const title = colours.bold(`${kind} ${namespace}/${name}`);
  if (!phase) return `${title}  not submitted`;
  const lasting = between(explanation?.since, undefined);
  return `${title}  ${painted(phase)}${lasting ? ` for ${lasting}` : ''}`;
}

/** What the engine says of a job that waits for nothing. */
function explanationLines(
  { phase, sentence, details, reason, rule, remedy }: Explanation,
  errorLine: string | undefined,
): string[] {
  if (reason === undefined || !isFinal(phase)) return [field('now', sentence), field('details', details)];
  const message = messageOfCause({ reason, message: details ?? '', rule });
  return [
    field('reason', `${colours.bold(reason)}: ${message}`),
    field('error', errorLine),
    field('rule', rule),
    ...(phase === 'Completed' ? [] : [field('do', remedy)]),
  ];
}

function reasonLines({ code, sentence, who, since, said, remedy, heldBy }: WaitReason): string[] {
  return [
    field('reason', `${colours.bold(code)}: ${sentence}`),
    field('since', since && `${withoutMilliseconds(since)} (${between(since, undefined)})`),
    field('held by', heldByText({ heldBy })),
    field('said', said),
    field('change', WHO_CAN_CHANGE[who]),
    field('do', remedy),
  ];
}

function placementLines(placement: ShapePlacement, answer: WhyAnswer): string {
  const classes = placement.classes.map(
    (one) =>
      `${String(one.nodes).padStart(5)} ${nodeClassText(one)}${colours.dim(`, e.g. ${one.examples.join(', ')}`)}`,
  );
  const lines = [...classes, ...excludedTexts(placement, answer), ...shortTexts(placement)];
  return [placementText(placement, answer), ...lines.map((line) => `  ${line}`)].join('\n');
}
