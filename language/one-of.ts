/** Whether a value is one of these texts. */
export const isOneOf = <T extends string>(all: readonly T[], value: unknown): value is T =>
  all.some((one) => one === value);
