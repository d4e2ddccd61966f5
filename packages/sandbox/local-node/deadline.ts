const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls `end` when a pod has been active for `activeDeadlineSeconds`; never if that is not set. */
export function limitTime(
  activeDeadlineSeconds: number | undefined,
  startTime: string,
  end: () => void,
): NodeJS.Timeout | undefined {
  if (!activeDeadlineSeconds) return undefined;
  const left = Date.parse(startTime) + activeDeadlineSeconds * 1000 - Date.now();
  return setTimeout(end, Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
}
