import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { LanesAnswer } from '../../../client/use-cases/lanes/lanes-answer.ts';
import type { WhyAnswer } from '../../../client/use-cases/why/why-answer.ts';
import type { EvidenceSummary } from '../../../contracts/evidence.ts';
import type { EvidenceRecord } from '../../../contracts/evidence-record.ts';
import type { Fault } from '../../../contracts/faults.ts';
import type {
  AmendRequest,
  ExtendRequest,
  HoldRequest,
  Intervention,
  ScaleRequest,
  StopRequest,
} from '../../../contracts/messages.ts';
import type { evidenceRecord } from '../../../contracts/schemas/evidence-record.ts';
import type { evidenceSummary } from '../../../contracts/schemas/evidence-summary.ts';
import type { fault } from '../../../contracts/schemas/fault.ts';
import type { jobOutcome, jobStatus, timelineEntry } from '../../../contracts/schemas/job-status.ts';
import type { lanesAnswer } from '../../../contracts/schemas/lanes-answer.ts';
import type {
  amendRequest,
  extendRequest,
  holdRequest,
  interventionSchema,
  scaleRequest,
  stopRequest,
} from '../../../contracts/schemas/requests.ts';
import type { whyAnswer } from '../../../contracts/schemas/why-answer.ts';
import type { JobOutcome, JobStatus, TimelineEntry } from '../../../contracts/status.ts';

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
const SAME: readonly (readonly [true, true])[] = [
  BOTH_WAYS satisfies IsSame<JobStatus, z.infer<typeof jobStatus>>,
  BOTH_WAYS satisfies IsSame<JobOutcome, z.infer<typeof jobOutcome>>,
  BOTH_WAYS satisfies IsSame<TimelineEntry, z.infer<typeof timelineEntry>>,
  BOTH_WAYS satisfies IsSame<EvidenceSummary, z.infer<typeof evidenceSummary>>,
  BOTH_WAYS satisfies IsSame<EvidenceRecord, z.infer<typeof evidenceRecord>>,
  BOTH_WAYS satisfies IsSame<LanesAnswer, z.infer<typeof lanesAnswer>>,
  BOTH_WAYS satisfies IsSame<Unnamed<WhyAnswer>, Unnamed<z.infer<typeof whyAnswer>>>,
  BOTH_WAYS satisfies IsSame<Fault, z.infer<typeof fault>>,
  BOTH_WAYS satisfies IsSame<Intervention, z.infer<typeof interventionSchema>>,
  BOTH_WAYS satisfies IsSame<StopRequest, z.infer<typeof stopRequest>>,
  BOTH_WAYS satisfies IsSame<ScaleRequest, z.infer<typeof scaleRequest>>,
  BOTH_WAYS satisfies IsSame<ExtendRequest, z.infer<typeof extendRequest>>,
  BOTH_WAYS satisfies IsSame<HoldRequest, z.infer<typeof holdRequest>>,
  BOTH_WAYS satisfies IsSame<AmendRequest, z.infer<typeof amendRequest>>,
];

test('types that workflows share, and their schemas, have the same fields', () => {
  expect(SAME.every(([one, other]) => one && other)).toBe(true);
});
