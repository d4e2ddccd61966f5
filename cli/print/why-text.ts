import { jobArguments } from '../../contracts/job-arguments.ts';
import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import { REASONS, type Who } from '../../contracts/reasons.ts';
import { filledIn, generalRemedy } from '../../contracts/remedies.ts';
import type { ShapePlacement, Waited, WaitReason, WhyAnswer } from '../../contracts/types.ts';
import { nodesText, ofShape } from '../../explain/rule.ts';
import { formatDuration } from '../../language/duration.ts';
import { fieldsOf } from './field.ts';
import { colours, painted } from './output.ts';
import { silenceFields } from './silence-lines.ts';
import { between, withoutMilliseconds } from './times.ts';

const MOST_SHORT = 3;

/** Formats an answer for people: the reason first, then what else, then the nodes. */
export function whyText(answer: WhyAnswer): string {
  const { reasons, placements, spares, waited = [], warnings = [], notes = [], unknown } = answer;
  const { explanation, silence } = answer;
  const [first, ...others] = reasons;
  const lines = [
    headOf(answer),
    ...(first
      ? reasonLines(first, jobArguments(answer))
      : [field('now', explanation?.sentence ?? fitText(answer))]),
    ...(first ? [] : [field('details', explanation?.details)]),
    ...silenceFields(silence).map(([name, text]) => field(name, text)),
    ...others.map(({ code, sentence }) => field('also', `${code}: ${sentence}`)),
    ...(spares ? [field('spares', sparesText(spares)), field('said', spares.said)] : []),
    ...waited.filter(({ seconds }) => seconds > 0).map((one) => field('waited', waitedText(one))),
    ...warnings.map((sentence) => field('warning', sentence)),
    ...notes.map((sentence) => field('note', sentence)),
    ...unknown.map((sentence) => field('unknown', sentence)),
  ];
  const parts = [lines.filter(Boolean).join('\n'), ...placements.map((one) => placementText(one, reasons))];
  return parts.join('\n\n');
}

const field = fieldsOf(8);

function headOf({ kind, namespace, name, phase, explanation }: WhyAnswer): string {
  const title = colours.bold(`${kind} ${namespace}/${name}`);
  if (!phase) return `${title}  not submitted`;
  const lasting = between(explanation?.since, undefined);
  return `${title}  ${painted(phase)}${lasting ? ` for ${lasting}` : ''}`;
}

/** Nothing is found that would keep a job waiting. */
const fitText = ({ fits, placements }: WhyAnswer): string =>
  fits === 'yes'
    ? 'The pods find room: it would start at once.'
    : placements.length > 0
      ? 'Nothing is found that would keep it waiting; whether its pods find room is not known.'
      : 'Nothing is found that would keep it waiting.';

function reasonLines({ code, sentence, who, since, heldBy = [], said }: WaitReason, job: string): string[] {
  return [
    field('reason', `${colours.bold(code)}: ${sentence}`),
    field('since', since && `${withoutMilliseconds(since)} (${between(since, undefined)})`),
    field('held by', heldBy.map((holder) => `${holder.who} ${holder.amount}`).join(', ')),
    field('said', said),
    field('change', CHANGE[who]),
    field('do', filledIn(generalRemedy(REASONS[code]), { job }).replace(POINTER, '')),
  ];
}

/** To this very answer. */
const POINTER = /, and `signalbox why [^`]+`/;

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
  reasons: readonly WaitReason[],
): string {
  const { pods: _one, ...each } = requests;
  const amounts = Object.entries(each).map(([resource, amount]) => `${amount} ${resource}`);
  const what = `${pods} ${ofShape({ roles })} pod${pods === 1 ? '' : 's'}${amounts.length > 0 ? `, each ${amounts.join(', ')}` : ''}`;
  const found = room === undefined ? '' : `: room for ${room}${isExact ? '' : ' at most'}`;
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
    ...short
      .slice(0, MOST_SHORT)
      .map(({ node, resource, needs, free }) => `  ${node}: ${free} of ${needs} ${resource} free`),
  ].join('\n');
}

const isSaid = (words: string, reasons: readonly WaitReason[]): boolean =>
  reasons.some(({ sentence }) => sentence.includes(words));
