import type { AttemptGoodput } from '../../client/use-cases/cost/attempt-goodput.ts';
import { jobArguments } from '../../contracts/job-arguments.ts';
import { messageOfCause } from '../../contracts/message-of-cause.ts';
import type { NamedJob, NotifiedChange } from '../../contracts/notifications.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { remedyOfCause } from '../../contracts/remedies.ts';
import { hideInText } from '../../contracts/secrets/hide-in-text.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Cause } from '../../contracts/types.ts';
import { shorten } from '../../language/shorten.ts';
import type { When } from '../routes/when.ts';
import type { UsedBudget } from './job-fact.ts';
import { type Stretch, stretchesOf } from './stretches.ts';
import type { TimedState } from './timed-states.ts';

interface Times {
  /** What was due before is no news. Epoch milliseconds, as `now`. */
  readonly from: number;
  readonly now: number;
}

/** Messages of programs may be long; a message has room for many of these. */
const MESSAGE_LENGTH = 600;

/** Returns what a route tells of a job: each stretch that was due since `from` and is so long as the route asks. */
export function noticesOfJob(
  job: NamedJob,
  states: readonly TimedState[],
  { when, from, now }: Times & { readonly when: When },
): NotifiedChange[] {
  const forMs = when.for ?? 0;
  return stretchesOf(states, when)
    .filter((stretch) => {
      const due = Date.parse(stretch.first.at) + forMs;
      return due >= from && due <= (stretch.until === undefined ? now : Date.parse(stretch.until));
    })
    .map((stretch) => noticeOf(job, stretch, when));
}

/** When the next stretch that lasts will be due; undefined if none will. */
export function nextDue(states: readonly TimedState[], when: When, now: number): number | undefined {
  const lasting = stretchesOf(states, when).findLast(({ until }) => until === undefined);
  const due = lasting && Date.parse(lasting.first.at) + (when.for ?? 0);
  return due !== undefined && due > now ? due : undefined;
}

function noticeOf(job: NamedJob, { first, last }: Stretch, when: When): NotifiedChange {
  // What is told of an end is the end, whatever came to be known of it later.
  const { phase, attempt, cause, owner } = last;
  const reason = first.phase === phase ? (last.reason ?? first.reason) : last.reason;
  const remedy = remedyFor(last, job, when);
  return {
    key: first.key,
    at: first.at,
    message: shorten(hideInText(sentenceOf(last, when)), MESSAGE_LENGTH),
    ...(remedy ? { remedy } : {}),
    ...(when.for === undefined ? {} : { forMs: when.for }),
    job: {
      ...job,
      ...{ phase, attempt },
      ...(reason ? { reason } : {}),
      ...(cause?.node ? { node: cause.node } : {}),
      ...(owner ? { owner } : {}),
    },
  };
}

function remedyFor({ cause }: TimedState, job: NamedJob, when: When): string | undefined {
  if (when.goodputBelow !== undefined)
    return `\`signalbox cost ${jobArguments(job, job.workflowId)}\` says what the rest of the time was for.`;
  return cause ? remedyText(cause, job) : undefined;
}

/** What the job itself says; of a state without a word of its own, what its reason means. */
function sentenceOf(
  { cause, reason, phase, noSteps, budget, goodput, attempt }: TimedState,
  when: When,
): string {
  if (when.budgetUsed !== undefined && budget) return budgetSentence(budget);
  if (when.goodputBelow !== undefined && goodput)
    return `Attempt ${attempt} used ${percent(goodput)} of the time of its ${goodput.resource} productively; the route asks for ${percent({ least: when.goodputBelow, most: when.goodputBelow })}.`;
  if (noSteps && !isFinal(phase)) return noSteps;
  if (cause) return messageOfCause(cause);
  return reason ? REASONS[reason].sentence : `The job is ${phase.toLowerCase()}.`;
}

/** Where more is not known, the most that it can have been. */
const percent = ({ least, most }: Pick<AttemptGoodput, 'least' | 'most'>): string =>
  `${most - least < 0.0005 ? '' : 'at most '}${(100 * most).toFixed(1)} %`;

const budgetSentence = ({ used, allowed, of }: UsedBudget): string =>
  `${used} of ${allowed} restarts${of === undefined ? '' : ` after failures of the class ${of}`} are used.`;

const remedyText = (cause: Cause, job: NamedJob): string =>
  shorten(
    hideInText(cause.remedy ?? remedyOfCause(cause, jobArguments(job, job.workflowId))),
    MESSAGE_LENGTH,
  );
