import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isDiskFull, SandboxError } from '../errors.ts';
import type { ProgressReport } from '../report.ts';
import type { Program } from './program.ts';

const run = promisify(execFile);

/** From this version on, Go fetches the toolchain that a go.mod requires. */
const OLDEST_GO = [1, 21] as const;
const GET_GO = 'install Go 1.26 or later from https://go.dev/dl (or with your package manager)';

/** Builds the program from its pinned module; go.sum verifies every source. */
export async function build(program: Program, draft: string, report: ProgressReport): Promise<void> {
  const called = `${program.name} ${program.version}`;
  const mayBeOnPath = program.versionArgs !== undefined;
  await requireGo(
    `${called}: ${mayBeOnPath ? 'not on PATH, ' : ''}not downloadable from here, and Go to build it is not installed`,
    mayBeOnPath ? `${GET_GO}, or put ${called} on PATH` : GET_GO,
  );
  const args = [
    'build',
    '-mod=readonly',
    // What debuggers read is not kept: without it compilation is an eighth shorter.
    ...['-gcflags', 'all=-dwarf=false'],
    ...['-ldflags', `-s -w ${program.build.ldflags}`.trim()],
    '-o',
    draft,
    program.build.package,
  ];
  const cwd = moduleFolder(program.build.module);
  const go = spawn('go', args, { cwd, env: goEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  let modules = 0;
  go.stderr.setEncoding('utf8');
  go.stderr.on('data', (text: string) => {
    lines.push(...text.split('\n').filter((line) => line !== ''));
    lines.splice(0, lines.length - 15);
    modules += text.split('go: downloading').length - 1;
    if (modules > 0) report.detail(`${modules} modules fetched`);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    go.on('error', reject);
    go.on('close', resolve);
  });
  if (code !== 0) throw buildFailed(program, lines.join('\n'));
}

/** Returns the folder with the go.mod and go.sum of this name. */
export function moduleFolder(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export async function requireGo(message: string, remedy: string = GET_GO): Promise<void> {
  const { stdout } = await run('go', ['env', 'GOVERSION'], { env: goEnvironment() }).catch(
    (cause: unknown) => {
      throw new SandboxError(message, remedy, { cause });
    },
  );
  const [major = 0, minor = 0] = stdout
    .trim()
    .replace(/^go/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  if (major > OLDEST_GO[0] || minor >= OLDEST_GO[1]) return;
  throw new SandboxError(
    `go: expected version ${OLDEST_GO.join('.')} or later, got ${stdout.trim()}`,
    GET_GO,
  );
}

/** Ignores the user's GOFLAGS and workspace, which would change the build. */
export function goEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CGO_ENABLED: '0',
    GOFLAGS: '-buildvcs=false',
    // Memory for time: the compiler collects its garbage less often.
    GOGC: process.env.GOGC ?? '400',
    GOWORK: 'off',
    GOOS: '',
    GOARCH: '',
  };
}

function buildFailed(program: Program, output: string): Error {
  if (isDiskFull(output)) return Object.assign(new Error(output), { code: 'ENOSPC' });
  return new SandboxError(
    `${program.name} ${program.version}: go build failed\n${output}`,
    'read the last lines above: without a connection Go needs a module proxy it can reach (GOPROXY)',
  );
}
