import { type Rule, reason } from '../rule.ts';

const MOST_NAMED = 3;

/** The place of a gated gang in the order. */
export const turns: Rule = ({ cluster: { line } }) => {
  if (!line) return [];
  const { ahead, placing, liftsOnQuota } = line;
  const names = [...ahead.slice(0, MOST_NAMED), ...(ahead.length > MOST_NAMED ? ['…'] : [])].join(', ');
  const place =
    ahead.length === 0
      ? 'it is the first gated gang in the order'
      : `${ahead.length === 1 ? '1 gated gang is' : `${ahead.length} gated gangs are`} ahead of it: ${names}`;
  const busy = placing ? `; ${placing} is being placed` : '';
  const when = liftsOnQuota
    ? 'in its turn, whether there is room for it or not'
    : 'when there is room for all of it';
  return [reason('WaitingForTurn', `${place}${busy}; its gates are lifted ${when}`)];
};
