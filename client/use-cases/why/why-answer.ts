import type { ReasonCode } from '../../../contracts/reasons.ts';
import type { Phase, SparesStatus } from '../../../contracts/types.ts';
import type { WaitAnswer } from '../../../explain/answer.ts';
import type { Explanation } from '../observe/explanation.ts';
import type { JobSilence } from '../pods/silence.ts';

/**
 * Why a job waits, or would wait if it was submitted.
 *
 * @public
 */
export interface WhyAnswer extends WaitAnswer {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** When it was computed, RFC 3339. */
  readonly asOf: string;
  /** Of a job that is not submitted: valid input that may not be what the user meant. */
  readonly warnings?: readonly string[];
  /** What follows is absent before the job is submitted. */
  readonly workflowId?: string;
  readonly phase?: Phase;
  /** What the engine says of the job. */
  readonly explanation?: Explanation;
  /** Pods that hold places for its pods, if its policy asks for some. `said`: the scheduler's words about one without a node. */
  readonly spares?: SparesStatus & { readonly said?: string };
  /** Its main pod has written no line for longer than usual. */
  readonly silence?: JobSilence;
  /** What it has waited for so far, the longest first. */
  readonly waited?: readonly Waited[];
}

/** @public */
export interface Waited {
  readonly reason: ReasonCode;
  readonly seconds: number;
  /** How often it began to wait for that. */
  readonly times: number;
  /** What was known last. */
  readonly message: string;
  /** When the first of these waits began, RFC 3339. */
  readonly from: string;
}
