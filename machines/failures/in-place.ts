import { MOST_FAILURES, type ProgramCrash } from '../../contracts/digest.ts';
import type { FailureClass } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import { countRestarts, type JobContext } from '../model/job-context.ts';
import { isCharged, roleOfFailure } from '../model/role-counts.ts';
import { classOf, endsInKey, evidenceKeyOf, needsEvidence, rulesFor, uidInKey } from './failure-class.ts';

/** Failures of programs that the kubelet restarts in place. No pod fails, but the policy's classes hold for them, too. */

/**
 * Returns how such programs ended last, in roles whose failures count. Where evidence shows a later end, nothing is known
 * of this one: the digest that has the later one decides, as it also has its exit code and the restarts before it.
 */
export function findProgramCrashes(context: JobContext): readonly ProgramCrash[] {
  const examined = latestExamined(context);
  return (context.digest?.programCrashes ?? []).filter((crash) => {
    const role = roleOfFailure(context, crash);
    const isLatest = !((examined.get(crash.uid) ?? 0) > endsInKey(evidenceKeyOf(crash)));
    return role !== undefined && isCharged(role) && isLatest;
  });
}

/** Returns which end evidence was taken of, by uid of the pod. */
function latestExamined({ captured = {} }: JobContext): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const key of Object.keys(captured)) {
    const uid = uidInKey(key);
    latest.set(uid, Math.max(latest.get(uid) ?? 0, endsInKey(key) || 0));
  }
  return latest;
}

/** Returns the crashes that cannot be classified without evidence. */
export const unexaminedCrashes = (context: JobContext): readonly ProgramCrash[] =>
  findProgramCrashes(context).filter((crash) => needsEvidence(context, crash));

export interface FatalCrash {
  readonly crash: ProgramCrash;
  readonly class: string;
  /** What the policy says of the class. */
  readonly rules: FailureClass;
}

/** Returns the first crash that ends the job: its class is final, or has no budget left for its restart. */
export function findFatalCrash(context: JobContext): FatalCrash | undefined {
  const crashes = findProgramCrashes(context).map((crash) => {
    const name = classOf(context, crash);
    return { crash, class: name, rules: rulesFor(context, name) };
  });
  const wanted = (name: string) =>
    crashes.reduce((sum, one) => sum + (one.class === name ? uncharged(context, one.crash) : 0), 0);
  const isOverspent = ({ class: name, rules: { budget } }: FatalCrash) =>
    budget !== undefined && (ownValue(context.charges ?? {}, name) ?? 0) + wanted(name) > budget;
  return crashes.find((one) => one.rules.final || isOverspent(one));
}

/** Counts the ends of a program whose restart is not charged yet, or still to come. */
const uncharged = ({ chargedInPlace }: JobContext, { uid, ends }: ProgramCrash): number =>
  Math.max(0, ends - (chargedInPlace?.[uid] ?? 0));

/** Restarts that are to be charged: by class, and those charged then in all, by uid of the pod. */
interface RestartsInPlace {
  readonly byClass: Readonly<Record<string, number>>;
  readonly charged: Readonly<Record<string, number>>;
}

/**
 * Returns restarts that are not charged yet, as far as budgets last; undefined if there are none. Those of ends that need
 * evidence are charged later.
 */
export function findRestartsInPlace(context: JobContext): RestartsInPlace | undefined {
  const byClass: Record<string, number> = {};
  const charged = { ...presentCharges(context) };
  // The sum of restarts lags where one pod goes while another restarts.
  let counted = countRestarts(context.restarts) - (context.exempt ?? 0);
  for (const crash of findProgramCrashes(context)) {
    const { uid, restarts } = crash;
    const name = classOf(context, crash);
    const { free, budget } = rulesFor(context, name);
    if ((!free && budget === undefined) || needsEvidence(context, crash)) continue;
    const left =
      (budget ?? Number.POSITIVE_INFINITY) -
      (ownValue(context.charges ?? {}, name) ?? 0) -
      (ownValue(byClass, name) ?? 0);
    const costs = Math.min(restarts - (charged[uid] ?? 0), left, counted);
    if (costs <= 0) continue;
    counted -= costs;
    byClass[name] = (ownValue(byClass, name) ?? 0) + costs;
    charged[uid] = (charged[uid] ?? 0) + costs;
  }
  return Object.keys(byClass).length > 0 ? { byClass, charged } : undefined;
}

/** Forgets pods that are gone, unless the digest may have left them out. */
function presentCharges({ chargedInPlace = {}, digest }: JobContext): Readonly<Record<string, number>> {
  const crashes = digest?.programCrashes ?? [];
  if (crashes.length >= MOST_FAILURES) return chargedInPlace;
  const present = new Set(crashes.map(({ uid }) => uid));
  return Object.fromEntries(Object.entries(chargedInPlace).filter(([uid]) => present.has(uid)));
}
