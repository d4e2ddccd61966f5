import { CancellationScope, sleep } from '@temporalio/workflow';
import type { JobEvent } from '../machines/model/job-events.ts';
import { timerSummary } from './summaries.ts';

/** Durable timers for the machine's deadlines: one per name, restarted only if its time changes. */
interface DurableTimers {
  set(deadlines: Readonly<Record<string, number>>): void;
}

/** `confirmed` is awaited after the timer expires and before its event is sent. */
export function createDurableTimers(
  ring: (event: JobEvent) => void,
  confirmed: (name: string) => Promise<void>,
): DurableTimers {
  const armed = new Map<string, { at: number; scope: CancellationScope }>();

  function arm(name: string, at: number): void {
    const scope = new CancellationScope({ cancellable: true });
    armed.set(name, { at, scope });
    scope
      .run(async () => {
        await sleep(Math.max(0, at - Date.now()), { summary: timerSummary(name) });
        await confirmed(name);
      })
      // A timer never fires early, whichever clock is behind.
      .then(() => ring({ type: 'deadline', name, at: Math.max(at, Date.now()) }))
      .catch(() => undefined); // Cancelled.
  }

  return {
    set: (deadlines) => {
      for (const [name, { at, scope }] of armed) {
        if (deadlines[name] === at) continue;
        armed.delete(name);
        scope.cancel();
      }
      for (const [name, at] of Object.entries(deadlines)) if (!armed.has(name)) arm(name, at);
    },
  };
}
