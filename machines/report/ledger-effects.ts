import type { LedgerEffect } from '../../contracts/ledger.ts';
import type { Effect, Replacement } from '../model/job-events.ts';

/** Returns the effects that begin, as the ledger records them: without fields that only activities need. */
export const ledgerEffects = (effects: readonly Effect[]): readonly LedgerEffect[] =>
  effects.flatMap((effect) => (effect.type === 'tryAgain' ? [] : [described(effect)]));

function described(effect: Exclude<Effect, { readonly type: 'tryAgain' }>): LedgerEffect {
  const known = Object.entries(whatOf(effect)).filter(([, value]) => value !== undefined);
  return {
    effect: effect.type,
    ...(known.length > 0 ? { what: Object.fromEntries(known) } : {}),
  };
}

function whatOf(effect: Exclude<Effect, { readonly type: 'tryAgain' }>): Readonly<Record<string, unknown>> {
  switch (effect.type) {
    case 'createGroup':
    case 'joinLane':
    case 'requestCheckpoint':
    case 'publishHostList':
      return { attempt: effect.attempt };
    case 'restoreServices':
      return { attempt: effect.attempt, services: effect.names };
    case 'keepSpares':
      return { attempt: effect.attempt, count: effect.count };
    case 'createAttempt':
      return { attempt: effect.attempt, roles: effect.roles, taken: effect.taken };
    case 'launch':
      return { attempt: effect.attempt, roles: effect.roles };
    case 'capture':
      return { attempt: effect.attempt, pods: effect.pods?.map(({ pod }) => pod) };
    case 'liftGates':
      return { attempt: effect.attempt };
    case 'rollBack':
      return { attempt: effect.attempt, ...howOf(effect) };
    case 'drain':
      return { attempt: effect.attempt, taken: effect.taken, ...howOf(effect) };
    case 'restorePods':
    case 'scale':
      return { attempt: effect.attempt, ...replacedBy(effect), ...howOf(effect) };
    case 'suspend':
      return howOf(effect);
    case 'cleanUp':
      return { outcome: effect.outcome, scope: effect.scope, again: effect.again };
  }
}

const replacedBy = ({ replace, replaceAlso, restartRoles, leaveGang, taken }: Partial<Replacement>) => ({
  replace: replace?.length ? replace.map(({ pod }) => pod) : undefined,
  replaceAlso,
  restartRoles,
  leaveGang,
  taken,
});

const howOf = ({ again, force }: { readonly again?: boolean; readonly force?: boolean }) => ({
  again,
  force,
});
