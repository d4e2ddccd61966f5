import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { SandboxError } from './errors.ts';
import { type Ports, portsSchema } from './state.ts';

/**
 * Below the ephemeral ports of Linux (from 32768) and macOS (from 49152): otherwise an outgoing connection could use
 * the port of a component that restarts.
 */
const LOWEST = 20_000;
const BEYOND = 32_768;

export interface FixedPorts {
  readonly kubernetes?: number;
  readonly temporal?: number;
  readonly temporalUi?: number;
}

const flagOf: Record<keyof FixedPorts, string> = {
  kubernetes: '--kubernetes-port',
  temporal: '--temporal-port',
  temporalUi: '--temporal-ui-port',
};

/** Takes requested ports, else those of last time (so that bookmarks stay valid), else free ones. */
export async function choosePorts(fixed: FixedPorts, last: Ports | undefined): Promise<Ports> {
  const chosen: Record<string, number> = {};
  for (const [name, port] of Object.entries(fixed) as [keyof FixedPorts, number | undefined][]) {
    if (port === undefined) continue;
    const other = Object.keys(chosen).find((each) => chosen[each] === port);
    if (other !== undefined) throw twice(port, [flagOf[other as keyof FixedPorts], flagOf[name]]);
    if (!(await isFree(port))) throw busy(port, flagOf[name]);
    chosen[name] = port;
  }
  for (const name of Object.keys(portsSchema.shape) as (keyof Ports)[]) {
    chosen[name] ??= await keepOrPick(last?.[name], Object.values(chosen));
  }
  return portsSchema.parse(chosen);
}

async function keepOrPick(last: number | undefined, taken: readonly number[]): Promise<number> {
  if (last !== undefined && !taken.includes(last) && (await isFree(last))) return last;
  for (;;) {
    const port = randomInt(LOWEST, BEYOND);
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function busy(port: number, flag: string): SandboxError {
  return new SandboxError(
    `port ${port}: asked for with ${flag}, but another process listens on it`,
    `stop that process (\`lsof -i :${port}\` names it), or omit ${flag}: a free port is then chosen`,
  );
}

function twice(port: number, flags: readonly string[]): SandboxError {
  return new SandboxError(
    `port ${port}: asked for with ${flags.join(' and ')}`,
    'give each of them its own port',
  );
}
