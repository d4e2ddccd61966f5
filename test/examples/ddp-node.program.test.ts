import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const TRAIN = fileURLToPath(new URL('../../examples/pytorch/ddp-node/train.mjs', import.meta.url));
const WORLD = 3;
/** Only Linux has the whole loopback range without set-up; one address is as good where each port is its own. */
const addressOf = (rank: number) => (process.platform === 'linux' ? `127.0.0.${10 + rank}` : '127.0.0.1');

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** The processes of a job with the variables that a PyTorchJob injects, started in this order. */
async function train(args: readonly string[], ranks = [0, 1, 2]): Promise<Outcome[]> {
  const port = await freePort(addressOf(0));
  const outcomes = await Promise.all(
    ranks.map(async (rank) => [rank, await runRank(rank, port, args)] as const),
  );
  return outcomes.sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}

async function runRank(rank: number, port: number, args: readonly string[]): Promise<Outcome> {
  const env = {
    POD_IP: addressOf(rank),
    MASTER_ADDR: addressOf(0),
    MASTER_PORT: String(port),
    RANK: String(rank),
    WORLD_SIZE: String(WORLD),
  };
  const child = spawn(process.execPath, [TRAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function lossesOf(output: string): number[] {
  return [...output.matchAll(/^step=\d+ loss=([\d.]+) accuracy=[\d.]+$/gm)].map(([, loss]) => Number(loss));
}

describe('ddp-node', () => {
  it('trains one model in three processes that agree to the last bit', async () => {
    const outcomes = await train(['--steps=240', '--step-millis=0'], [2, 1, 0]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    const losses = lossesOf(outcomes[0]?.output ?? '');
    expect(losses.length).toBeGreaterThan(10);
    expect(losses[0]).toBeGreaterThan(0.5);
    expect(losses.at(-1)).toBeLessThan(0.1);
    const checksums = outcomes.map(({ output }) => /checksum (\w+)/.exec(output)?.[1]);
    expect(new Set(checksums).size).toBe(1);
  });

  it.each([0, 2])('ends everywhere when rank %d fails', async (failing) => {
    const args = ['--steps=100', '--step-millis=1', '--fail-at-step=10', `--fail-rank=${failing}`];
    const outcomes = await train(args);
    for (const [rank, { code, output }] of outcomes.entries()) {
      expect({ rank, code }).toEqual({ rank, code: rank === failing ? 3 : 1 });
      expect(output).toMatch(rank === failing ? 'fails at step 10' : /lost (the )?rank/);
    }
  });

  it('names an invalid argument', async () => {
    const { code, output } = await runRank(0, 1, ['--steps=many']);
    expect(code).not.toBe(0);
    expect(output).toContain('--steps: expected an integer, got "many"');
  });
});
