import type { ProgramEvent, ProgramRun } from './program-log.ts';
import { programRunOf } from './program-log.ts';

/** A process of the program, written as its log: `from` is when it started, in seconds. */
export interface Course {
  readonly rank: number;
  readonly from: number;
  /** The world that it joins a second later; without it joins none. */
  readonly world?: string;
  /** Resumes from the first, and finishes all up to the last, one a second, from two seconds after its start on. */
  readonly steps?: readonly [from: number, to: number];
  /** Steps after which it writes a checkpoint. */
  readonly saves?: readonly number[];
}

export const START_MS = 1_796_000_000_000;
const at = (seconds: number) => START_MS + seconds * 1_000;

export function runOfCourse({ rank, from, world, steps, saves = [] }: Course): ProgramRun {
  const events: ProgramEvent[] = [
    { at: at(from), what: 'started', rank, pid: 1_000 + rank, pod: `pod-${rank}` },
  ];
  if (world) events.push({ at: at(from + 1), what: 'joined', world });
  const [resumed, last] = steps ?? [0, -1];
  if (steps) events.push({ at: at(from + 2), what: 'loaded', step: resumed });
  for (let step = resumed + 1; step <= last; step++) {
    const now = at(from + 2 + step - resumed);
    if (saves.includes(step)) events.push({ at: now, what: 'checkpoint', step });
    events.push({ at: now, what: 'step', step });
  }
  return programRunOf(events.map((event) => `${JSON.stringify(event)}\n`).join(''))[0]!;
}

/** Two ranks that do the same. */
export const pairOf = (course: Omit<Course, 'rank'>): ProgramRun[] => [
  runOfCourse({ rank: 0, ...course }),
  runOfCourse({ rank: 1, ...course, saves: [] }),
];
