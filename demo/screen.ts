import pc from 'picocolors';
import type { TimelineEntry } from '../contracts/types.ts';

const PHASE_COLOURS: Readonly<Record<string, (text: string) => string>> = {
  Pending: pc.yellow,
  Starting: pc.cyan,
  Running: pc.green,
  Restarting: pc.magenta,
  Completed: pc.green,
  Failed: pc.red,
  Stopped: pc.red,
};

const started = Date.now();

/** Everything that the demo prints, on one clock. */
export const screen = {
  heading: (text: string) => print(`\n${pc.bold(text)}`),
  line: (text: string) => print(`${stamp()}  ${text}`),
  phase: ({ phase, state, cause }: TimelineEntry) => {
    const colour = PHASE_COLOURS[phase] ?? pc.white;
    print(`${stamp()}  ${colour(pc.bold(phase.padEnd(10)))} ${pc.dim(state)}  ${cause}`);
  },
  log: (pod: string, text: string) => print(`${stamp()}  ${pc.dim(`${pod} |`)} ${text}`),
  blank: () => print(''),
  plain: (text: string) => print(text),
};

const stamp = () => pc.dim(`${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s`);

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
