export const ms = (time: string): number => Date.parse(time);

/** Null also for what is not a time, e.g. in a status of another version. */
export function dateOf(text: string | undefined): Date | null {
  const time = ms(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}
