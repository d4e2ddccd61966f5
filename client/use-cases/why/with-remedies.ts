import { jobArguments } from '../../../contracts/job-arguments.ts';
import { REASONS } from '../../../contracts/reasons.ts';
import { filledIn, generalRemedy } from '../../../contracts/remedies.ts';
import type { WhyAnswer } from '../../../contracts/types.ts';

/** Says of each reason what to do about it: what its rule says of this case, else what the code says of all. */
export function withRemedies(answer: WhyAnswer): WhyAnswer {
  const job = jobArguments(answer, answer.workflowId);
  const remedyOf = ({ code, remedy = generalRemedy(REASONS[code]) }: WhyAnswer['reasons'][number]) =>
    filledIn(remedy, { job }).replace(POINTER, '');
  return { ...answer, reasons: answer.reasons.map((reason) => ({ ...reason, remedy: remedyOf(reason) })) };
}

/** To this very answer. */
const POINTER = /, and `signalbox why [^`]+`/;
