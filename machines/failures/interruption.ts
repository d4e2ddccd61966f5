import type { PodFailure } from '../../contracts/digest.ts';
import { INTERRUPTIONS } from '../../contracts/ends.ts';
import { reasonText } from './reason-text.ts';

/** Describes a pod that was stopped before its program had ended: by what, and its exit code. */
export function describeInterruption({ pod, node, exitCode, signal, reason, message }: PodFailure): string {
  const where = node ? `${pod} on node ${node}` : pod;
  const by = signal ? `, signal ${signal}` : '';
  const how = exitCode === undefined ? 'no exit code was recorded' : `exit code ${exitCode}${by}`;
  return `${where} ${INTERRUPTIONS[reason] ?? 'was stopped from outside'}${reasonText({ reason, message })}; ${how}`;
}
