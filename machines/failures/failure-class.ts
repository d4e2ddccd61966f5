import type { PodFailure } from '../../contracts/digest.ts';
import type { BuiltInClass, ClassRule, FailureClass } from '../../contracts/policy.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';

/** What kind of failure it is: the first rule of the policy that matches, else what Kubernetes' words tell. */
export function classOf(context: JobContext, failure: PodFailure): string {
  const rules = jobPolicy(context).failures.rules;
  const matching = rules.find(
    (rule, index) => matches(rule, failure) && hasPattern(context, { rule, index, failure }),
  );
  return matching?.class ?? builtInClass(failure, roleOf(context, failure));
}

/** What the policy says of a class; nothing of one that it does not name. */
export const rulesFor = (context: JobContext, name: string): FailureClass =>
  jobPolicy(context).failures.classes[name] ?? {};

/** Whether a pattern may decide that was not looked for yet: the evidence must be taken first. */
export function needsEvidence(context: JobContext, failure: PodFailure): boolean {
  if (context.captured?.[failure.uid]) return false;
  return jobPolicy(context).failures.rules.some(
    (rule) => rule.pattern !== undefined && matches(rule, failure),
  );
}

/** All but the pattern. What a pod that was told to stop did then, or printed, says nothing about its program. */
function matches({ exitCodes, pattern, reasons, roles }: ClassRule, failure: PodFailure): boolean {
  const { exitCode, reason, role, interruptedBy } = failure;
  if (interruptedBy && (exitCodes || pattern !== undefined)) return false;
  const isCode = ([from, to]: readonly [number, number]) =>
    exitCode !== undefined && from <= exitCode && exitCode <= to;
  return (
    (exitCodes?.some(isCode) ?? true) &&
    (reasons?.includes(reason) ?? true) &&
    (roles?.includes(role.toLowerCase()) ?? true)
  );
}

interface Candidate {
  readonly rule: ClassRule;
  readonly index: number;
  readonly failure: PodFailure;
}

const hasPattern = ({ captured }: JobContext, { rule, index, failure }: Candidate) =>
  rule.pattern === undefined || (captured?.[failure.uid]?.includes(index) ?? false);

/** Without an exit code nothing ended by itself. A container with a memory limit of its own was killed for passing it. */
function builtInClass(failure: PodFailure, role: PlannedRole | undefined): BuiltInClass {
  const { reason, exitCode, interruptedBy } = failure;
  if (interruptedBy) return 'infrastructure';
  if (START_FAILURES.has(reason)) return 'startUp';
  if (reason === 'OOMKilled') return role?.limitsMemory ? 'userCode' : 'infrastructure';
  return exitCode === undefined ? 'infrastructure' : 'userCode';
}

/** The container could not even be started. */
const START_FAILURES: ReadonlySet<string> = new Set([
  'StartError',
  'ContainerCannotRun',
  'RunContainerError',
  'CreateContainerError',
  'CreateContainerConfigError',
]);

const roleOf = ({ plan }: JobContext, { role }: PodFailure) =>
  plan.roles.find(({ name }) => name.toLowerCase() === role.toLowerCase());
