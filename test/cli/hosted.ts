import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A process that hosts parts, and what it logs. */
export interface Hosted {
  readonly child: ChildProcess;
  readonly said: string[];
  readonly exit: Promise<number | null>;
  /** Settles with the first log line that has the words. */
  line(words: string): Promise<string>;
}

const children: ChildProcess[] = [];

/** For `afterEach`. */
export function killHosted(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

/** Starts a script beside this one. */
export function hosted(script: string, behaviour: string): Hosted {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return listenTo(spawn(process.execPath, [path, behaviour], { stdio: ['ignore', 'ignore', 'pipe'] }));
}

export function listenTo(child: ChildProcess & { readonly stderr: Readable }): Hosted {
  children.push(child);
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.setMaxListeners(0);
  lines.on('line', (text) => said.push(text));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const line = (words: string) =>
    new Promise<string>((resolve) => {
      const look = (text: string) => text.includes(words) && resolve(text);
      said.forEach(look);
      lines.on('line', look);
    });
  return { child, said, exit, line };
}

/** Asks the address that the process has logged. */
export async function ask({ line }: Hosted, path: string): Promise<{ status: number; body: string }> {
  const { address } = JSON.parse(await line('listening for health')) as { readonly address: string };
  const answer = await fetch(address + path);
  return { status: answer.status, body: await answer.text() };
}
