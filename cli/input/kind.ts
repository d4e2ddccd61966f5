import { UsageError } from '../shell/errors.ts';

/** Accepts a kind of job in any letter case; loads the kinds only when needed. */
export async function kindOf(text: string): Promise<string> {
  const { JOB_KINDS } = await import('../../client/manifests/kinds.ts');
  const kind = JOB_KINDS.find((one) => one.toLowerCase() === text.toLowerCase());
  if (kind === undefined)
    throw new UsageError(`--kind: expected one of ${JOB_KINDS.join(', ')}, got ${text}.`);
  return kind;
}
