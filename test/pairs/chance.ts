import fc from 'fast-check';

/** A value in so many of a hundred cases; shrinks to none. */
export const sometimes = <T>(percent: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - percent, arbitrary: fc.constant(undefined) },
    { weight: percent, arbitrary: value },
  );

/** True in so many of a hundred cases. */
export const inSome = (percent: number): fc.Arbitrary<boolean> =>
  sometimes(percent, fc.constant(true)).map((value) => value === true);

export const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
