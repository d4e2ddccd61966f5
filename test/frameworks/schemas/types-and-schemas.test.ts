import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { WhyAnswer } from '../../../client/use-cases/why/why-answer.ts';
import type { whyAnswer } from '../../../contracts/schemas/why-answer.ts';

/** A type with every optional field marked: without the mark, an object without the field would be assignable. */
type Marked<T> = T extends readonly (infer Item)[]
  ? Marked<Item>[]
  : T extends object
    ? {
        -readonly [Key in keyof T]-?: undefined extends T[Key]
          ? { optional: Marked<NonNullable<T[Key]>> }
          : Marked<T[Key]>;
      }
    : T;

/** A type without the names of codes and classes, which contracts/ does not know. */
type Unnamed<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Unnamed<Item>[]
    : T extends object
      ? { [Key in keyof T]: Unnamed<T[Key]> }
      : T;

type IsAssignable<From, To> = [From] extends [To] ? true : false;
type IsSame<A, B> = readonly [IsAssignable<Marked<A>, Marked<B>>, IsAssignable<Marked<B>, Marked<A>>];
const BOTH_WAYS = [true, true] as const;

/** The compiler checks this file: a field that a type has and its schema has not is an error in `npm run check`. */
const SAME: readonly [true, true] = BOTH_WAYS satisfies IsSame<
  Unnamed<WhyAnswer>,
  Unnamed<z.infer<typeof whyAnswer>>
>;

test('what explains a wait has a schema with the same fields', () => {
  expect(SAME.every((isAssignable) => isAssignable)).toBe(true);
});
