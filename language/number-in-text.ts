/** Returns the first number in a text: 1200 of `1200` and of `step=1200`; undefined if there is none. */
export function numberInText(text: string | undefined): number | undefined {
  const digits = /\d+(\.\d+)?/.exec(text ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
}
