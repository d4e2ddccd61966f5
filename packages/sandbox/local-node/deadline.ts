import { callAfter } from '../engine.ts';

/** Calls `end` when a pod has been active for `activeDeadlineSeconds`; never if that is not set. Returns a cancel function. */
export function limitTime(
  activeDeadlineSeconds: number | undefined,
  startTime: string,
  end: () => void,
): (() => void) | undefined {
  if (!activeDeadlineSeconds) return undefined;
  const left = Date.parse(startTime) + activeDeadlineSeconds * 1000 - Date.now();
  return callAfter(Math.max(left, 0), end);
}
