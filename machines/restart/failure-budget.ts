import type { JobStatus } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import { rulesFor } from '../failures/failure-class.ts';
import { findRestartsInPlace } from '../failures/in-place.ts';
import { countInPlace, countRestarts, type JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import type { Charges } from '../model/restart.ts';

/** Returns the class whose budget these restarts would exceed. */
export function findExceeded(
  context: JobContext,
  wanted: Charges,
): { readonly class: string; readonly budget: number } | undefined {
  for (const [name, restarts] of Object.entries(wanted)) {
    const { budget } = rulesFor(context, name);
    if (budget !== undefined && (ownValue(context.charges ?? {}, name) ?? 0) + restarts > budget) {
      return { class: name, budget };
    }
  }
  return undefined;
}

/** Counts the wanted restarts that backoffLimit counts: not those that are free or have their own budget. */
export const countedByLimit = (context: JobContext, wanted: Charges) =>
  Object.entries(wanted).reduce((sum, [name, n]) => sum + (isExempt(context, name) ? 0 : n), 0);

/** Charges these restarts. */
export function withCharges(context: JobContext, wanted: Charges): Pick<JobContext, 'charges' | 'exempt'> {
  const charges = { ...context.charges };
  let exempt = context.exempt ?? 0;
  for (const [name, restarts] of Object.entries(wanted)) {
    const { budget } = rulesFor(context, name);
    if (budget !== undefined) charges[name] = (ownValue(charges, name) ?? 0) + restarts;
    if (isExempt(context, name)) exempt += restarts;
  }
  const isUntouched = Object.keys(charges).length === 0;
  return { charges: isUntouched ? context.charges : charges, exempt: exempt || context.exempt };
}

/** Charges the restarts in place since the last time. */
export function withChargesInPlace(context: JobContext): Partial<JobContext> {
  const restarts = findRestartsInPlace(context);
  if (!restarts) return {};
  return { ...withCharges(context, restarts.byClass), chargedInPlace: restarts.charged };
}

/** Resets all budgets after progress. */
export const withoutCharges = ({ restarts }: JobContext): Partial<JobContext> => ({
  charges: undefined,
  exempt: countRestarts(restarts) || undefined,
  forgottenInPlace: countInPlace(restarts) || undefined,
  ladder: undefined,
  backOff: undefined,
});

export function budgetsOf(context: JobContext): JobStatus['budgets'] {
  const budgets = Object.entries(jobPolicy(context).failures.classes).flatMap(([name, { budget }]) =>
    budget === undefined
      ? []
      : [[name, { used: ownValue(context.charges ?? {}, name) ?? 0, allowed: budget }] as const],
  );
  return budgets.length > 0 ? Object.fromEntries(budgets) : undefined;
}

function isExempt(context: JobContext, name: string): boolean {
  const { free, budget } = rulesFor(context, name);
  return free === true || budget !== undefined;
}
