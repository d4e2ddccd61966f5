import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../../demo/engine.ts';
import type { Chance } from './chance.ts';
import type { ChaosRun } from './chaos-faults.ts';

/** The processes of signalbox, by name, which die, or sleep for longer than anybody waits for them. */
export type CrashableEngine = Readonly<Record<string, CrashableProcess>>;

interface CrashableProcess extends Pick<Engine, 'pid' | 'kill'> {
  start(): Promise<unknown>;
}

export async function troubleEngine(
  { note }: Pick<ChaosRun, 'note'>,
  engine: CrashableEngine,
  chance: Chance,
): Promise<string> {
  const [name, part] = chance.pick(Object.entries(engine))!;
  const awayMs = chance.between(0, 4_000);
  if (chance.between(0, 3) > 0) {
    note(`the ${name} is killed, for ${awayMs} ms`);
    await part.kill();
    await delay(awayMs);
    await part.start();
    note(`the ${name} is back`);
    return `SIGKILL: ${name}`;
  }
  // Past the time-out of its heartbeats and the term of its lease: others may take over what it goes on with then.
  const asleepMs = 10_000 + awayMs;
  note(`the ${name} sleeps for ${asleepMs} ms`);
  process.kill(part.pid!, 'SIGSTOP');
  await delay(asleepMs);
  process.kill(part.pid!, 'SIGCONT');
  note(`the ${name} is awake`);
  return `SIGSTOP: ${name}`;
}
