/** Returns how a pod ended, e.g. `exit code 137` and `OOMKilled`, as far as it is known. */
import type { LedgerPod } from '../../contracts/types.ts';
export const podEndWords = ({ exitCode, signal, reason }: LedgerPod): string[] =>
  [
    exitCode === undefined ? undefined : `exit code ${exitCode}`,
    signal === undefined ? undefined : `signal ${signal}`,
    reason,
  ].filter((words) => words !== undefined && words !== '') as string[];
