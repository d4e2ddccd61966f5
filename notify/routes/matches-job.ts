import type { NamedJob } from '../../contracts/notifications.ts';
import type { When } from './when.ts';

/** Whether a route chooses a job, whatever its state. */
export function matchesJob({ engine, ...when }: When, job: NamedJob): boolean {
  if (engine) return false;
  const isChosen = (patterns: readonly string[] | undefined, value: string | undefined): boolean =>
    patterns === undefined || (value !== undefined && patterns.some((one) => matchesPattern(one, value)));
  return (
    isChosen(when.namespace, job.namespace) &&
    isChosen(when.name, job.name) &&
    isChosen(when.kind, job.kind) &&
    isChosen(when.submittedBy, job.submittedBy) &&
    Object.entries(when.labels ?? {}).every(([key, value]) => job.labels?.[key] === value)
  );
}

/** `*` stands for any text, of any length. */
export function matchesPattern(pattern: string, value: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return pattern === value;
  const end = parts.pop()!;
  if (!value.startsWith(start) || value.length < start.length + end.length || !value.endsWith(end))
    return false;
  let rest = value.slice(start.length, value.length - end.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}
