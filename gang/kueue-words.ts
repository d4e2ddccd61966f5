import type { QueueView } from '../explain/situation.ts';

interface Words {
  readonly reason?: string;
  readonly message?: string;
}

/**
 * What the words of Kueue mean for a job that waits. Its reasons say all only with its feature gate
 * UnadmittedWorkloadsObservability. Else its words do, for each pod set.
 */
export function kueueCodeOf({ reason = '', message = '' }: Words): QueueView['code'] {
  const byReason = REASONS.find(({ pattern }) => pattern.test(reason))?.code;
  if (byReason) return byReason;
  const codes = message.split('; ').map((part) => WORDS.find(({ pattern }) => pattern.test(part))?.code);
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 'WaitingForQueue';
}

type Codes = readonly { readonly pattern: RegExp; readonly code: QueueView['code'] }[];

const REASONS: Codes = [
  { pattern: /^WaitingFor/, code: 'WaitingForQueue' },
  { pattern: /^ExceedsMaxQuota$/, code: 'NeverFits' },
  { pattern: /^(Inadmissible|Misconfigured|NoMatchingFlavor|OnHold|Suspended)$/, code: 'QueueClosed' },
];

/** It names each flavor that it tried for a pod set: one that will be free is worth waiting for. */
const WORDS: Codes = [
  { pattern: /insufficient unused quota/, code: 'WaitingForQueue' },
  { pattern: /> maximum capacity/, code: 'NeverFits' },
  {
    pattern:
      /doesn't exist|is inactive|is stopped|terminating or missing|untolerated taint|doesn't match node affinity|unavailable in ClusterQueue/,
    code: 'QueueClosed',
  },
];

const WORST_FIRST = ['NeverFits', 'QueueClosed'] as const;
