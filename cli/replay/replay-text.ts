import { compareValues } from '../../contracts/differences/structure.ts';
import type { DecisionDifference, WhatIf } from '../../worker/replay/what-if.ts';
import { colours } from '../print/output.ts';
import { restartsText } from '../print/restarts.ts';
import { formatTable } from '../print/table.ts';
import type { ReplayVerdict } from './verdicts.ts';

/** How a kind of answer sums up, over all jobs. */
interface ReplayKind {
  readonly jobs: number;
  /** What the job did, and what it would have done. */
  readonly was?: string;
  readonly would: string;
}

/** What `-o json` prints. */
export const replayData = (verdicts: readonly ReplayVerdict[]) => ({
  jobs: verdicts.length,
  summary: kindsOf(verdicts),
  verdicts,
});

/** By kind of difference, the most frequent first. */
function kindsOf(verdicts: readonly ReplayVerdict[]): ReplayKind[] {
  const kinds = Map.groupBy(verdicts.map(kindOfVerdict), (kind) => JSON.stringify(kind));
  return [...kinds.values()]
    .map((alike) => ({ jobs: alike.length, ...alike[0]! }))
    .sort((one, other) => other.jobs - one.jobs);
}

function kindOfVerdict({ result, error = '', whatIf, ledger }: ReplayVerdict): Omit<ReplayKind, 'jobs'> {
  if (result === 'unreadable') return { would: 'cannot be read' };
  if (result === 'broken') return { would: 'does not replay' };
  if (ledger?.first) return { would: `decides otherwise: ${ledger.first.fields.join(', ')}` };
  if (whatIf?.first) return { was: whatIf.first.was.does, would: wordsFor(whatIf.first) };
  if (whatIf?.otherReason) return reasonsOf(whatIf.otherReason);
  if (whatIf?.unknown) return { would: `not known: ${whatIf.unknown.why}` };
  if (result === 'unknown') return { would: `not known: ${error.split(':')[0]}` };
  return { would: whatIf ? 'the same' : 'replays' };
}

/** The same deed with other pods or nodes, for example, is a difference, too. */
function wordsFor({ was, would }: DecisionDifference): string {
  if (was.does !== would.does) return would.does;
  const differing = compareValues(was.effects, would.effects).map(({ steps }) =>
    String(steps[1] ?? 'effects'),
  );
  return `${would.does}, with another ${[...new Set(differing)].join(', ')}`;
}

const reasonsOf = ({ was, would }: DecisionDifference) => ({
  was: `${was.does}: ${was.reason}`,
  would: `${would.does}: ${would.reason === was.reason ? 'by another rule' : would.reason}`,
});

interface TextOptions {
  readonly hasPolicy: boolean;
}

export async function replayText(
  verdicts: readonly ReplayVerdict[],
  { hasPolicy }: TextOptions,
): Promise<string> {
  const listed = verdicts.filter(({ result, whatIf }) => result !== 'same' || whatIf?.from);
  const rows = kindsOf(verdicts).map(({ jobs, was = '', would }) =>
    hasPolicy ? [String(jobs), was, would] : [String(jobs), would],
  );
  const head = hasPolicy ? ['JOBS', 'THE JOB', 'WITH THIS POLICY'] : ['JOBS', 'RESULT'];
  const parts = [await formatTable(head, rows), ...listed.map(verdictText)];
  if (verdicts.some(({ whatIf }) => whatIf?.first)) parts.push(LIMITS);
  return parts.join('\n\n');
}

const LIMITS = `After its first other decision, what would have happened to a job is not known: its pods, their failures and all times
would have been others. What is listed as later is for each moment alone: only if the job had come there in the same way.`;

function verdictText(verdict: ReplayVerdict): string {
  const { source, workflowId, error, ledger, whatIf } = verdict;
  const title = colours.bold(workflowId && workflowId !== source ? `${source} (${workflowId})` : source);
  if (error !== undefined) return `${title}\n  ${error.split('\n')[0]}`;
  if (ledger?.first) return `${title}\n${ledgerLines(ledger.first).join('\n')}`;
  return whatIf ? `${title}\n${whatIfLines(whatIf).join('\n')}` : title;
}

function ledgerLines({
  seq,
  fields,
  recorded,
  replayed,
}: NonNullable<NonNullable<ReplayVerdict['ledger']>['first']>) {
  const entryText = (entry: typeof recorded) =>
    entry ? `${entry.at} ${entry.to}: ${entry.message}` : 'no such entry';
  return [
    `  entry ${seq} differs in ${fields.join(', ')}`,
    `    archived  ${entryText(recorded)}`,
    `    now       ${entryText(replayed)}`,
  ];
}

/** More would hide what matters; -o json has all. */
const MOST_LATER = 5;

function whatIfLines({ from, followed, first, otherReason, unknown, later }: WhatIf): string[] {
  const rest = later.filter(({ at }) => at !== first?.at);
  return [
    ...(from ? [`  ${beginningOf(from)}`] : []),
    `  the same for ${eventsIn(followed)}`,
    ...(otherReason ? ['  for another reason:', ...differenceLines(otherReason)] : []),
    ...(first ? differenceLines(first) : []),
    ...(unknown ? [`  from ${unknown.at} on not known: ${unknown.why}`] : []),
    ...(rest.length > 0 ? ['  later, if the job had come there in the same way:'] : []),
    ...rest.slice(0, MOST_LATER).flatMap(differenceLines),
    ...(rest.length > MOST_LATER ? [`  and ${rest.length - MOST_LATER} more; -o json has all`] : []),
  ];
}

const eventsIn = (followed: number) => {
  if (followed === 0) return 'no event';
  return followed === 1 ? 'the first event' : `the first ${followed} events`;
};

const beginningOf = ({ at, attempt, restarts }: NonNullable<WhatIf['from']>) =>
  `begins at ${at} with attempt ${attempt}, after ${restartsText(restarts)}: earlier runs of its workflow are not recorded`;

function differenceLines({ at, event, was, would }: DecisionDifference): string[] {
  const decisionText = ({ does, message, until }: typeof was) =>
    `${does} (${message}${until ? `; its next timer: ${until}` : ''})`;
  return [
    `  ${at}  attempt ${was.attempt}, ${event}`,
    `    the job  ${decisionText(was)}`,
    `    instead  ${decisionText(would)}`,
  ];
}
