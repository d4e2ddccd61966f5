/** When a workflow was started and closed, RFC 3339; of a job that is its submission, and its end with the clean-up. */
interface Lifetime {
  readonly startTime: string;
  /** Absent while it is open. */
  readonly endTime?: string | undefined;
}

/**
 * How long a job or a sweep took, in milliseconds: from its submission, with all that it waited for, until its workflow closed, with
 * its clean-up; until now while it is open. It is all that the visibility store knows, so that lists can say the same as the rest.
 */
export const tookMs = ({ startTime, endTime }: Lifetime, now = Date.now()): number =>
  Math.max(0, (endTime === undefined ? now : Date.parse(endTime)) - Date.parse(startTime));
