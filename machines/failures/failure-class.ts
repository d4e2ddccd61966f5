import type { PodFailure, ProgramCrash } from '../../contracts/digest.ts';
import type { BuiltInClass } from '../../contracts/policy.ts';
import { roleKey } from '../../contracts/roles.ts';
import { roundCount } from '../../contracts/round-count.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { ClassRule, FailureClass } from '../../contracts/types.ts';
import { isStartUpWait } from '../../contracts/waits.ts';
import { ownValue } from '../../language/fields.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import { roleOfFailure } from '../model/role-counts.ts';

/** Returns the class of a failure: the policy's first matching rule decides, otherwise Kubernetes' reason. */
export function classOf(context: JobContext, failure: JobFailure): string {
  const rules = jobPolicy(context).failures.rules;
  const matching = rules.find(
    (rule, index) => matches(rule, failure) && hasPattern(context, { rule, index, failure }),
  );
  return matching?.class ?? builtInClass(failure, roleOfFailure(context, failure));
}

/** A failed pod, or a program that the kubelet restarts in place. */
export type JobFailure = PodFailure & Partial<Pick<ProgramCrash, 'ends'>>;

/** Returns by what the evidence of a failure is known: a program that is restarted in place fails more than once. */
export const evidenceKeyOf = ({ uid, ends }: Pick<JobFailure, 'uid' | 'ends'>): string =>
  ends === undefined ? uid : `${uid}#${Math.round(roundCount(ends))}`;

export const uidInKey = (key: string): string => key.split('#', 1)[0]!;

/** Returns how often the program had ended, rounded; NaN in the key of a pod that failed. */
export const endsInKey = (key: string): number => Number(key.split('#')[1]);

/** Returns the policy's settings for a class; empty if the policy does not name it. */
export const rulesFor = (context: JobContext, name: string): FailureClass =>
  ownValue(jobPolicy(context).failures.classes, name) ?? {};

/** Whether evidence must be taken first because a pattern that was not searched for yet may decide. */
export function needsEvidence(context: JobContext, failure: JobFailure): boolean {
  return !context.captured?.[evidenceKeyOf(failure)] && isClassifiedByPattern(context, failure);
}

/** Whether a pattern may decide the class of a failure. */
export const isClassifiedByPattern = (context: JobContext, failure: JobFailure): boolean =>
  jobPolicy(context).failures.rules.some((rule) => rule.pattern !== undefined && matches(rule, failure));

/**
 * Checks everything except the pattern. The exit code and output of an interrupted pod say nothing about its program.
 */
function matches({ exitCodes, pattern, reasons, roles }: ClassRule, failure: PodFailure): boolean {
  const { exitCode, reason, role, interruptedBy } = failure;
  if (interruptedBy && (exitCodes || pattern !== undefined)) return false;
  const isCode = ([from, to]: readonly [number, number]) =>
    exitCode !== undefined && from <= exitCode && exitCode <= to;
  return (
    (exitCodes?.some(isCode) ?? true) &&
    (reasons?.includes(reason) ?? true) &&
    (roles?.includes(roleKey(role)) ?? true)
  );
}

interface Candidate {
  readonly rule: ClassRule;
  readonly index: number;
  readonly failure: JobFailure;
}

const hasPattern = ({ captured }: JobContext, { rule, index, failure }: Candidate) =>
  rule.pattern === undefined || (captured?.[evidenceKeyOf(failure)]?.includes(index) ?? false);

/**
 * Without an exit code no program ended by itself. A container with its own memory limit was killed for exceeding it.
 */
function builtInClass(failure: PodFailure, role: PlannedRole | undefined): BuiltInClass {
  const { reason, exitCode, interruptedBy } = failure;
  if (interruptedBy) return 'infrastructure';
  if (START_FAILURES.has(reason) || isStartUpWait(reason)) return 'startUp';
  if (reason === 'OOMKilled') return role?.limitsMemory ? 'userCode' : 'infrastructure';
  return exitCode === undefined ? 'infrastructure' : 'userCode';
}

/** The container could not be started; besides reasons by which it waits. */
const START_FAILURES: ReadonlySet<string> = new Set(['NodeMissing', 'StartError', 'ContainerCannotRun']);
