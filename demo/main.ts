import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSandbox, type Sandbox, stopSandbox } from '@signalbox/sandbox';
import { parse } from 'yaml';
import { createProgress } from '../cli/print/progress.ts';
import { SignalboxClient } from '../client/handles/client.ts';
import { findBroken, printEnding } from './ending.ts';
import { Engine } from './engine.ts';
import { type DemoOptions, parseDemoOptions, USAGE } from './options.ts';
import { screen } from './screen.ts';
import { runDemo } from './story.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseDemoOptions(args);
    if (options) return await demo(options);
    console.log(USAGE);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

async function demo(options: DemoOptions): Promise<number> {
  const manifest: object = parse(await readFile(options.manifest, 'utf8'));
  const sandbox = await startSandbox();
  const engine = new Engine('up', sandbox, {
    logFile: join(sandbox.dir, 'engine.log'),
    outlives: options.keep,
  });
  const end = once(async () => {
    if (options.keep) return;
    await engine.stop();
    if (sandbox.started) await stopSandbox(sandbox.dir);
  });
  process.once('SIGINT', () => void end().then(() => process.exit(130)));
  try {
    await engine.start();
    screen.line(`the engine is up (process ${engine.pid}): one worker, one watcher`);
    const story = await withClient(sandbox, (client) => runDemo(client, engine, manifest));
    printEnding(story, sandbox, options.keep ? engine.pid : undefined);
    return exitCodeFor(findBroken(story));
  } finally {
    await end();
  }
}

async function startSandbox(): Promise<Sandbox> {
  screen.heading('A Temporal server and a Kubernetes control plane, on this machine');
  const progress = createProgress(process.stderr);
  try {
    const sandbox = await ensureSandbox({ localNode: true, report: progress });
    screen.line(`${sandbox.started ? 'the sandbox is up' : 'the sandbox was up already'}`);
    screen.line(`Temporal   ${sandbox.temporalAddress}, UI ${sandbox.temporalUiUrl}`);
    screen.line(`Kubernetes ${sandbox.kubernetesUrl}`);
    return sandbox;
  } finally {
    progress.end();
  }
}

async function withClient<T>(sandbox: Sandbox, use: (client: SignalboxClient) => Promise<T>): Promise<T> {
  const temporal = { address: sandbox.temporalAddress, namespace: 'default' };
  const client = await SignalboxClient.connect({ temporal, cluster: { kubeconfig: sandbox.kubeconfig } });
  try {
    screen.heading('A training job');
    return await use(client);
  } finally {
    await client.close();
  }
}

function exitCodeFor(broken: readonly string[]): number {
  screen.blank();
  for (const promise of broken) screen.plain(`The demo failed: ${promise}`);
  return broken.length === 0 ? 0 : 1;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
