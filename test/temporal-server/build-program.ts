import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs of Temporal's server, which the dev server of the sandbox is not: it has no authorizer and only SQLite. */
const PACKAGES = {
  server: 'go.temporal.io/server/cmd/server',
  'sql-tool': 'go.temporal.io/server/cmd/tools/sql',
};

const VERSION = '1.32.1';
const MODULE = fileURLToPath(new URL('module', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('../../.signalbox/programs', import.meta.url));

/**
 * The path of the program. Go builds it from its proxy once, in 5 minutes on 2 busy cores; go.sum verifies every source.
 */
export async function buildTemporalProgram(name: keyof typeof PACKAGES): Promise<string> {
  const program = join(PROGRAMS, `temporal-${name}-${VERSION}`);
  if (existsSync(program)) return program;
  await mkdir(PROGRAMS, { recursive: true });
  const draft = `${program}.${process.pid}.part`;
  const args = ['build', '-mod=readonly', '-ldflags', '-s -w', '-o', draft, PACKAGES[name]];
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' };
  const go = spawn('go', args, { cwd: MODULE, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(go, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`go build of Temporal's ${name} ${VERSION} failed with exit code ${code}`);
  await rename(draft, program);
  return program;
}
