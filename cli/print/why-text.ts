import { messageOfCause } from '../../contracts/message-of-cause.ts';
import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import type { Who } from '../../contracts/reasons.ts';
import { isFinal } from '../../contracts/status.ts';
import type {
  Explanation,
  ShapePlacement,
  ShortNode,
  Waited,
  WaitReason,
  WhyAnswer,
} from '../../contracts/types.ts';
import { isHostPort } from '../../explain/host-ports.ts';
import { nodesText, ofShape } from '../../explain/rule.ts';
import { formatDuration } from '../../language/duration.ts';
import { fieldsOf } from './field.ts';
import { colours, painted } from './output.ts';
import { logFields } from './silence-lines.ts';
import { between, withoutMilliseconds } from './times.ts';

const MOST_SHORT = 3;

/** Formats an answer for people: the reason first, then what else, then the nodes. */
export function whyText(answer: WhyAnswer): string {
  const { reasons, placements, spares, waited = [], warnings = [], notes = [], unknown } = answer;
  const { explanation } = answer;
  const [first, ...others] = reasons;
  const lines = [
    headOf(answer),
    ...(first
      ? reasonLines(first)
      : explanation
        ? explanationLines(explanation, answer.errorLine)
        : [field('now', fitText(answer))]),
    ...logFields(answer).map(([name, text]) => field(name, text)),
    ...others.map(({ code, sentence }) => field('also', `${code}: ${sentence}`)),
    ...(spares ? [field('spares', sparesText(spares)), field('said', spares.said)] : []),
    ...waited.filter(({ seconds }) => seconds > 0).map((one) => field('waited', waitedText(one))),
    ...warnings.map((sentence) => field('warning', sentence)),
    ...notes.map((sentence) => field('note', sentence)),
    ...unknown.map((sentence) => field('unknown', sentence)),
  ];
  const parts = [lines.filter(Boolean).join('\n'), ...placements.map((one) => placementText(one, answer))];
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

/** Nothing is found that would keep a job waiting. */
const fitText = ({ fits, placements }: WhyAnswer): string =>
  fits === 'yes'
    ? 'The pods find room: it would start at once.'
    : placements.length > 0
      ? 'Nothing is found that would keep it waiting; whether its pods find room is not known.'
      : 'Nothing is found that would keep it waiting.';

function reasonLines({ code, sentence, who, since, heldBy = [], said, remedy }: WaitReason): string[] {
  return [
    field('reason', `${colours.bold(code)}: ${sentence}`),
    field('since', since && `${withoutMilliseconds(since)} (${between(since, undefined)})`),
    field('held by', heldBy.map((holder) => `${holder.who} ${holder.amount}`).join(', ')),
    field('said', said),
    field('change', CHANGE[who]),
    field('do', remedy),
  ];
}

const CHANGE: Readonly<Record<Who, string>> = {
  you: 'you can',
  administrator: 'an administrator of the cluster can',
  either: 'you can, e.g. if a name is wrong; an administrator of the cluster can, too',
  nobody: 'wait, or free what it needs',
  unknown: 'not known, because it is not computed here',
};

const sparesText = ({ wanted, placed, why }: NonNullable<WhyAnswer['spares']>): string =>
  `${placed} of ${wanted} hold a place${why === undefined ? '' : `; ${why}`}`;

const waitedText = ({ reason, seconds, times }: Waited): string =>
  `${formatDuration(seconds * 1000)} for ${reason}${times > 1 ? `, ${times} times` : ''}`;

function placementText(
  { roles, pods, requests, room, isExact, nodes, classes, excludedBy, short }: ShapePlacement,
  { reasons, placements }: Pick<WhyAnswer, 'reasons' | 'placements'>,
): string {
  const alone = placements.length > 1 ? ', if only these are placed' : '';
  const { pods: _one, ...each } = requests;
  const amounts = Object.entries(each).map(([resource, amount]) => `${amount} ${resource}`);
  const what = `${pods} ${ofShape({ roles })} pod${pods === 1 ? '' : 's'}${amounts.length > 0 ? `, each ${amounts.join(', ')}` : ''}`;
  const found = room === undefined ? '' : `: room for ${room}${isExact ? '' : ' at most'}${alone}`;
  return [
    `${what}${found}; of ${nodesText(nodes)}`,
    ...classes.map(
      ({ class: name, detail, nodes: count, examples }) =>
        `  ${String(count).padStart(5)} ${NODE_CLASSES[name]}${detail ? ` (${detail})` : ''}${colours.dim(`, e.g. ${examples.join(', ')}`)}`,
    ),
    ...excludedBy.map(
      ({ term, nodes: count, hint }) =>
        `  ${term} alone excludes ${count}${hint && !isSaid(hint, reasons) ? `; ${hint}` : ''}`,
    ),
    ...short.slice(0, MOST_SHORT).map((one) => `  ${shortText(one)}`),
  ].join('\n');
}

const shortText = ({ node, resource, needs, free, total }: ShortNode): string =>
  isHostPort(resource)
    ? `${node}: ${resource} is in use`
    : `${node}: ${free} of its ${total} ${resource} free, a pod needs ${needs}`;

const isSaid = (words: string, reasons: readonly WaitReason[]): boolean =>
  reasons.some(({ sentence }) => sentence.includes(words));
