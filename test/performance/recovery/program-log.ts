import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../../language/error-code.ts';

/** What a process of `program.py` writes; `at` is the time of the machine's clock, in epoch milliseconds. */
const eventSchema = z.discriminatedUnion('what', [
  z.object({
    at: z.number(),
    what: z.literal('started'),
    rank: z.number(),
    pid: z.number(),
    pod: z.string(),
  }),
  z.object({ at: z.number(), what: z.literal('joined'), world: z.string() }),
  z.object({ at: z.number(), what: z.literal('loaded'), step: z.number() }),
  z.object({ at: z.number(), what: z.literal('step'), step: z.number() }),
  z.object({ at: z.number(), what: z.literal('checkpoint'), step: z.number() }),
  z.object({ at: z.number(), what: z.literal('told to stop') }),
  z.object({ at: z.number(), what: z.literal('ended'), code: z.number(), why: z.string() }),
]);
export type ProgramEvent = z.infer<typeof eventSchema>;

/** One process of the program, from its start on. */
export interface ProgramRun {
  readonly rank: number;
  readonly pid: number;
  /** Its pod's name. */
  readonly pod: string;
  readonly startedAt: number;
  /** The ranks that it joined: rank 0 names them. Absent until it has. */
  readonly world?: string;
  readonly events: readonly ProgramEvent[];
}

/** All processes that have written to the folder, in the order in which they started. */
export async function readProgramLog(folder: string): Promise<ProgramRun[]> {
  const log = join(folder, 'log');
  const names = await readdir(log).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const texts = await Promise.all(names.map((name) => readFile(join(log, name), 'utf8')));
  return texts.flatMap(programRunOf).sort((a, b) => a.startedAt - b.startedAt);
}

/** None of a process that has only begun to write. */
export function programRunOf(text: string): ProgramRun[] {
  // A killed process leaves half a line at the end.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const events = lines.filter(Boolean).map((line) => eventSchema.parse(JSON.parse(line)));
  const [start] = events;
  if (start?.what !== 'started') return [];
  const joined = events.find(({ what }) => what === 'joined');
  const world = joined?.what === 'joined' ? joined.world : undefined;
  return [{ rank: start.rank, pid: start.pid, pod: start.pod, startedAt: start.at, world, events }];
}

/** When an event of a kind happened first, at a step or later; undefined if it did not. */
export function firstAt(run: ProgramRun, what: ProgramEvent['what'], fromStep = 0): number | undefined {
  return run.events.find((one) => one.what === what && (!('step' in one) || one.step >= fromStep))?.at;
}

/** The last step that a process finished; 0 before the first. */
export const lastStepOf = ({ events }: ProgramRun): number =>
  events.reduce((last, event) => (event.what === 'step' ? event.step : last), 0);
