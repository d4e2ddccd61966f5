import { spawn } from 'node:child_process';
import { join } from 'node:path';

const TYPES_FILE = '.signalbox/types.tsbuildinfo';

/** Types, lint and format, import directions, dead code, licences, rules of our own. All checks run even if one fails. */
const CHECKS = [
  // What the last run found out about files that have not changed is kept: the check then takes seconds.
  { name: 'types', command: 'tsc', args: ['-p', '.', '--incremental', '--tsBuildInfoFile', TYPES_FILE] },
  { name: 'lint and format', command: 'biome', args: ['check', '.'] },
  { name: 'import directions', command: 'depcruise', args: ['--config', '.dependency-cruiser.cjs', '.'] },
  { name: 'dead code', command: 'knip', args: ['--no-progress'] },
  { name: 'unique exports', command: 'node', args: ['scripts/unique-exports.ts'] },
  { name: 'licences', command: 'node', args: ['scripts/licences.ts'] },
  { name: 'code rules', command: 'node', args: ['scripts/code-rules.ts'] },
] as const;

const root = join(import.meta.dirname, '..');
let failures = 0;
for (const check of CHECKS) {
  const begin = Date.now();
  const { code, output } = await run(check);
  const seconds = ((Date.now() - begin) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '));
  failures += code === 0 ? 0 : 1;
}
process.exitCode = failures ? 1 : 0;

function run({ command, args }: (typeof CHECKS)[number]): Promise<{ code: number; output: string }> {
  const bin = join(root, 'node_modules', '.bin');
  // The `#!/usr/bin/env node` of the tools must find the Node that runs this script, not an older one of the machine.
  const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
  return new Promise((resolve) => {
    const program = command === 'node' ? process.execPath : join(bin, command);
    const child = spawn(program, [...args], { cwd: root, env });
    let output = '';
    const append = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
