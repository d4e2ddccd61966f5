import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Policy } from '../../contracts/types.ts';

/** Any part of it; lists are given as a whole. */
export type PolicyParts<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] | undefined
    ? T[K]
    : T[K] extends object | undefined
      ? PolicyParts<NonNullable<T[K]>>
      : T[K];
};

/** A policy that says this, and is as another one, or as the default, in all else. */
export const aPolicy = (parts: PolicyParts<Policy>, base: Policy = DEFAULT_POLICY): Policy =>
  merged(base, parts) as Policy;

function merged(base: unknown, part: unknown): unknown {
  if (!isFields(base) || !isFields(part)) return part;
  const names = new Set([...Object.keys(base), ...Object.keys(part)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in part ? merged(base[name], part[name]) : base[name]]),
  );
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
