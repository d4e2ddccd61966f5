import type { OidcSettings } from '../../contracts/settings.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { Person } from './person.ts';

/** Kubernetes' own: a provider that could name them could name an administrator of the cluster. */
const OF_KUBERNETES = 'system:';

/** Who somebody is, by the claims of a provider. Throws `ProblemError` if they do not say it. */
export function personOf(
  claims: Readonly<Record<string, unknown>>,
  { userClaim, groupsClaim }: Pick<OidcSettings, 'userClaim' | 'groupsClaim'>,
): Person {
  const name = claims[userClaim];
  if (typeof name !== 'string' || name.trim() === '')
    throw new ProblemError(
      502,
      `The provider does not say who you are: expected a claim ${userClaim}, got ${Object.keys(claims).join(', ')}.`,
      'SIGNALBOX_CONSOLE_OIDC_USER_CLAIM names the claim; SIGNALBOX_CONSOLE_OIDC_SCOPES asks for more of them.',
    );
  if (userClaim === 'email' && claims.email_verified === false)
    throw new ProblemError(
      403,
      `The provider has not verified that ${name} is yours.`,
      'Verify the address there, then sign in again.',
    );
  if (name.startsWith(OF_KUBERNETES))
    throw new ProblemError(
      403,
      `A provider cannot name ${name}: names with system: are those of Kubernetes.`,
    );
  return { name, groups: groupsIn(claims[groupsClaim]) };
}

/** One group may be a text. */
function groupsIn(claim: unknown): readonly string[] {
  const groups = typeof claim === 'string' ? [claim] : Array.isArray(claim) ? claim : [];
  return groups.filter(
    (group) => typeof group === 'string' && group !== '' && !group.startsWith(OF_KUBERNETES),
  );
}
