import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../worker/free-port.ts';
import { eventually } from '../../eventually.ts';
import { lastStepOf, readProgramLog } from './program-log.ts';
import { worldsOf } from './worlds.ts';
import { wrongActsOf } from './wrong-acts.ts';

/** The program of the recovery drill: three ranks as processes of this machine. */

const PROGRAM = fileURLToPath(new URL('program.py', import.meta.url));
const RANKS = 3;

let folder: string;
let processes: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drill-'));
});

afterEach(async () => {
  await Promise.all(
    processes.map(async (one) => {
      if (hasEnded(one)) return;
      one.kill('SIGKILL');
      await once(one, 'exit');
    }),
  );
  processes = [];
  await rm(folder, { recursive: true, force: true });
});

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Resolves when every rank has finished steps together. */
async function train(...options: readonly string[]): Promise<readonly ChildProcess[]> {
  const fixed = [`--folder=${folder}`, '--step-seconds=0.05', '--checkpoint-steps=1000', '--load-seconds=0'];
  const env = {
    ...process.env,
    WORLD_SIZE: String(RANKS),
    POD_NAME: 'a',
    MASTER_ADDR: '127.0.0.1',
    POD_IP: '127.0.0.1',
  };
  const port = { MASTER_PORT: String(await freePort()) };
  const started = Array.from({ length: RANKS }, (_, rank) =>
    spawn('python3', [PROGRAM, ...fixed, ...options], {
      env: { ...env, ...port, RANK: String(rank) },
      stdio: 'ignore',
    }),
  );
  const before = (await worlds()).length;
  processes.push(...started);
  await eventually('all ranks train', async () => {
    const world = (await worlds())[before];
    return world?.runs.every((run) => lastStepOf(run) >= (world.resumedFrom ?? 0) + 3);
  });
  return started;
}

const worlds = async () => worldsOf(await readProgramLog(folder), RANKS);

/** The exit codes of all ranks, once they have ended. */
const endsOf = (ranks: readonly ChildProcess[]) =>
  eventually('all ranks have ended', () => ranks.every(hasEnded) && ranks.map(({ exitCode }) => exitCode));

describe('ranks that train together', () => {
  it('all end when one has an exception', async () => {
    const ranks = await train();
    ranks[1]!.kill('SIGUSR1');
    expect(await endsOf(ranks)).toEqual([1, 1, 1]);
  });

  it('write a checkpoint when one of them is told to stop, and resume from it', async () => {
    const ranks = await train('--on-sigterm=checkpoint');
    ranks[2]!.kill('SIGTERM');
    expect(await endsOf(ranks)).toEqual([1, 1, 143]);
    await train('--on-sigterm=checkpoint');
    const [first, second] = await worlds();
    expect(second!.resumedFrom).toBe(first!.lastStep);
    const span = { injectedAt: second!.joinedAt - 1, ranks: RANKS };
    expect(wrongActsOf(await readProgramLog(folder), span)).toEqual({
      ...{ restartsOfHealthy: 0, aliveTwice: 0, skippedSteps: 0, forgottenSteps: 0 },
    });
  });

  it('train on when they are told to stop and ignore it', async () => {
    const ranks = await train();
    ranks[0]!.kill('SIGTERM');
    const step = (await worlds())[0]!.lastStep;
    await eventually('they get on', async () => (await worlds())[0]!.lastStep > step + 3);
    expect(ranks.some(hasEnded)).toBe(false);
  });

  it('end after the time-out of collectives when one is stopped, which stays', async () => {
    const ranks = await train('--collective-seconds=1');
    const [hub, stopped, third] = ranks as [ChildProcess, ChildProcess, ChildProcess];
    stopped.kill('SIGSTOP');
    expect(await endsOf([hub, third])).toEqual([1, 1]);
    expect(hasEnded(stopped)).toBe(false);
  });

  it('end after the time-out of collectives when all wait for each other', async () => {
    const ranks = await train('--collective-seconds=1');
    for (const rank of ranks) rank.kill('SIGUSR2');
    expect(await endsOf(ranks)).toEqual([1, 1, 1]);
  });
});
