import { roleKey } from './roles.ts';
import type { HostListRule } from './training-job.ts';

/** A pod on a job's host list. */
export interface Member {
  readonly pod: string;
  /** In lower case. */
  readonly role: string;
  readonly index: number;
  /** Its pod IP; empty until it has one. */
  readonly address: string;
}

/** Formats the rule for the anchor's annotation, which the watcher reads: `addressed:ps,worker`. */
export const formatHostListRule = ({ when, roles }: HostListRule) =>
  `${when}:${roles.map(roleKey).join(',')}`;

/** Returns undefined if the text is no rule. */
export function parseHostListRule(text: string | undefined): HostListRule | undefined {
  const [, when, roles] = /^(addressed|ready):(.+)$/.exec(text ?? '') ?? [];
  return when ? { when: when as HostListRule['when'], roles: roles!.split(',') } : undefined;
}
