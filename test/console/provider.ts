import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('provider-process.ts', import.meta.url));

/** An OpenID provider that runs. */
export class TestProvider {
  readonly issuer: string;
  readonly #child: ChildProcess;

  private constructor(issuer: string, child: ChildProcess) {
    this.issuer = issuer;
    this.#child = child;
  }

  /** `redirect`: where the console takes people back. `clockMs`: how wrong its clock is. */
  static async start(
    redirect: string,
    { port = 0, clockMs = 0 }: { readonly port?: number; readonly clockMs?: number } = {},
  ): Promise<TestProvider> {
    const child = spawn(process.execPath, [PROGRAM, redirect, String(port)], {
      env: { PATH: process.env.PATH, PROVIDER_CLOCK_MS: String(clockMs) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout! }))
      if (line.startsWith('issuer ')) return new TestProvider(line.slice(7), child);
    throw new Error('the provider ended before it listened');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
