import { z } from 'zod';
import { LONGEST_DURATION_MS, parseDuration } from '../../language/duration.ts';
import { numberOrText } from './number-or-text.ts';

const DURATION = /^\s*(\d+(\.\d+)?|(\d+(\.\d+)?(ms|s|m|h|d))+)\s*$/;

/** A duration as people write it, in milliseconds. */
export const durationSchema = durationFrom(0, 'a duration, e.g. 10s, 5m, 1h or a number of seconds');

/** One that must take some time: a limit of nothing would always be exceeded. */
export const someTime = durationFrom(1, 'a duration > 0, e.g. 10s, 5m, 1h or a number of seconds');

export const isDuration = (schema: unknown): boolean => schema === durationSchema || schema === someTime;

function durationFrom(least: number, error: string) {
  return z
    .union([z.string(), z.number()], { error })
    .transform(parseDuration)
    .refine((ms) => ms >= least && ms <= LONGEST_DURATION_MS, {
      error: (issue) => tooLong(issue.input) ?? error,
    })
    .meta({
      description: 'A duration, e.g. 10s, 5m, 1h, or a number of seconds.',
      ...numberOrText({ minimum: 0 }, DURATION),
    });
}

const tooLong = (ms: unknown) =>
  typeof ms === 'number' && ms > LONGEST_DURATION_MS ? 'a duration of at most 365d' : undefined;
