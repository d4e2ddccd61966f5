import type { ReasonCode } from '../contracts/reasons.ts';
import type { ApiError } from './errors.ts';

/** A refusal of the API server that may pass without a change of the job. */
interface TemporaryRefusal {
  readonly reason: ReasonCode;
  readonly isLimited: boolean;
}

/**
 * Returns the reason under which a job waits for a refusal to pass; undefined if it is final. Quotas and missing rights
 * have the same status 403 as pods that a policy denies, so the message decides. An unknown refusal counts as
 * temporary: a job that waits and shows why is better than one that failed for nothing.
 */
export function asTemporaryRefusal(error: ApiError): TemporaryRefusal | undefined {
  const { status, detail } = error;
  if (FINAL_STATUSES.has(status)) return undefined;
  if (status === 403) return forbidden(error);
  if (status === 404) return limited(/^namespaces? /.test(detail) ? 'NamespaceMissing' : 'DependencyMissing');
  return WEBHOOK_AWAY.test(detail)
    ? limited('WebhookUnavailable')
    : { reason: 'ApiServerUnavailable', isLimited: false };
}

/** Malformed, not allowed at all, too large, invalid: a retry would be refused forever. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 405, 413, 415, 422]);

/** E.g. `failed calling webhook "a.example.com": failed to call webhook: Post "https://...": connection refused` */
const WEBHOOK_AWAY = /failed calling webhook|conversion webhook for .* failed/;

const limited = (reason: ReasonCode): TemporaryRefusal => ({ reason, isLimited: true });

function forbidden({ request, detail }: ApiError): TemporaryRefusal | undefined {
  // A refused deletion never means that the job is wrong.
  if (!request.startsWith('DELETE ') && DENIED.test(detail)) return undefined;
  const known = FORBIDDEN.find(({ pattern }) => pattern.test(detail));
  return limited(known?.reason ?? 'Forbidden');
}

/** Admission messages about the object itself: Pod Security, denying webhooks and policies, LimitRanges, quotas. */
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

const FORBIDDEN: readonly { readonly pattern: RegExp; readonly reason: ReasonCode }[] = [
  // Precedes DependencyMissing: RBAC appends the roles that it did not find.
  { pattern: / cannot \S+ resource | attempting to grant RBAC /, reason: 'Forbidden' },
  // A new quota has no status for a moment and refuses everything.
  { pattern: /exceeded quota|insufficient quota|status unknown for quota/, reason: 'QuotaExceeded' },
  { pattern: /because it is being terminated/, reason: 'NamespaceTerminating' },
  // Service accounts appear a moment after their namespace; runtime and priority classes come with an add-on.
  {
    pattern: /looking up service account|not found|no PriorityClass with name/,
    reason: 'DependencyMissing',
  },
];
