import type { ApiError } from '../../cluster/errors.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';

/** A refusal of the API server that may pass without anything about the job being changed. */
export interface TemporaryRefusal {
  readonly reason: ReasonCode;
  readonly isLimited: boolean;
}

/**
 * Which refusals may pass, and under which reason they are waited for; undefined: never. Quotas and missing rights are
 * refused with the same 403 as pods that a policy does not allow, so that their words decide. What is not known here is
 * taken for one that passes: a job that waits and says why is better than one that ended for nothing.
 */
export function asTemporaryRefusal(error: ApiError): TemporaryRefusal | undefined {
  const { status, said } = error;
  if (FINAL_STATUSES.has(status)) return undefined;
  if (status === 403) return forbidden(error);
  if (status === 404) return limited(/^namespaces? /.test(said) ? 'NamespaceMissing' : 'DependencyMissing');
  return WEBHOOK_AWAY.test(said) ? limited('WebhookAway') : { reason: 'ClusterAway', isLimited: false };
}

/** Malformed, not allowed at all, too large, invalid: the same object is refused for ever. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 405, 413, 415, 422]);

/** E.g. `failed calling webhook "a.example.com": failed to call webhook: Post "https://...": connection refused` */
const WEBHOOK_AWAY = /failed calling webhook|conversion webhook for .* failed/;

const limited = (reason: ReasonCode): TemporaryRefusal => ({ reason, isLimited: true });

function forbidden({ request, said }: ApiError): TemporaryRefusal | undefined {
  // Whatever is said of a deletion, nothing about the job is wrong.
  if (!request.startsWith('DELETE ') && DENIED.test(said)) return undefined;
  const known = FORBIDDEN.find(({ words }) => words.test(said));
  return limited(known?.reason ?? 'Forbidden');
}

/** What admission says of the object itself: Pod Security, webhooks and policies that deny it, LimitRanges, quotas. */
const DENIED = new RegExp(
  [
    'violates PodSecurity',
    'denied (the )?request',
    'denied one or more images',
    '(maximum|minimum) \\S+ usage per',
    'limit to request ratio per',
    'failed quota: .* must specify',
  ].join('|'),
);

const FORBIDDEN: readonly { readonly words: RegExp; readonly reason: ReasonCode }[] = [
  // Before what is missing: RBAC adds which roles it did not find.
  { words: / cannot \S+ resource | attempting to grant RBAC /, reason: 'Forbidden' },
  // One that is new has no status for a moment, and refuses everything.
  { words: /exceeded quota|insufficient quota|status unknown for quota/, reason: 'QuotaExceeded' },
  { words: /because it is being terminated/, reason: 'NamespaceMissing' },
  // Service accounts come a moment after their namespace; runtime and priority classes with an add-on.
  {
    words: /looking up service account|not found|no PriorityClass with name/,
    reason: 'DependencyMissing',
  },
];
