import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { runSchedule } from './run-schedule.ts';
import { type Schedule, schedules } from './schedules.ts';
import type { Failure, Message, Simulation } from './simulate.ts';

const send = (message: Message) => parentPort?.postMessage(message);

const failure = await run(workerData as Simulation);
if (failure) send({ failure });
// The SDK leaves timers of its own.
process.exit(0);

async function run({ runs = 1, seed = 1, path, findings }: Simulation): Promise<Failure | undefined> {
  for (const [name, schedule] of Object.entries(findings ?? {})) {
    const lines = await linesOf(schedule);
    if (lines) return { seed: schedule.seed, path: '', lines: [name, ...lines] };
    send({ done: 1 });
  }
  if (findings) return undefined;
  let done = 0;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    await runSchedule(schedule).finally(() => send({ done: ++done }));
  });
  const found = await fc.check(property, { numRuns: runs, seed, path });
  if (!found.counterexample) return undefined;
  const [schedule] = found.counterexample;
  const lines = (await linesOf(schedule)) ?? ['failed once, and not a second time'];
  return { seed, path: found.counterexamplePath ?? '', lines: [...lines, JSON.stringify(schedule)] };
}

/** Undefined if nothing is wrong with the schedule. */
async function linesOf(schedule: Schedule): Promise<string[] | undefined> {
  const lines: string[] = [];
  try {
    await runSchedule(schedule, (line) => lines.push(line));
    return undefined;
  } catch (error) {
    return [(error as Error).stack ?? String(error), ...lines];
  }
}
