import type { HostListRule } from './training-job.ts';

/** A pod on a job's list of pods. */
export interface Member {
  readonly pod: string;
  /** In lower case. */
  readonly role: string;
  readonly index: number;
  /** Its pod IP; empty if it has none yet. */
  readonly address: string;
}

/** The rule as it stands on the anchor, where the watcher reads it: `addressed:ps,worker`. */
export const formatHostListRule = ({ when, roles }: HostListRule) =>
  `${when}:${roles.map((role) => role.toLowerCase()).join(',')}`;

/** Undefined for what is no rule. */
export function parseHostListRule(text: string | undefined): HostListRule | undefined {
  const [, when, roles] = /^(addressed|ready):(.+)$/.exec(text ?? '') ?? [];
  return when ? { when: when as HostListRule['when'], roles: roles!.split(',') } : undefined;
}
